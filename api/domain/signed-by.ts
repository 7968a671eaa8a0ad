/** How a wallet signs in and signs routes: by the key of its address, or by its contract. */
export type SignedBy = 'KEY' | 'CONTRACT'
