/** Keys of nonces and tokens: all of them verify, the first one signs, so a secret is replaced without signing anyone out. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]]
