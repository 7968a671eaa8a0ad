/** Decrypts a key from a keystore file, version 3 of Web3 Secret Storage: what geth, `cast` and ethers write. */
import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { type Hex, keccak256 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { DeployError } from './errors.ts'

const hex = z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)
const buffer = hex.transform((text) => Buffer.from(text, 'hex'))
const dklen = z.literal(32)

/** Bounds of the work that a file can demand: above what any wallet writes. */
const scrypt = z.object({
  kdf: z.literal('scrypt'),
  kdfparams: z.object({
    n: z
      .number()
      .int()
      .min(2)
      .max(2 ** 20),
    r: z.number().int().min(1).max(16),
    p: z.number().int().min(1).max(16),
    dklen,
    salt: buffer,
  }),
})
const pbkdf2 = z.object({
  kdf: z.literal('pbkdf2'),
  kdfparams: z.object({
    c: z.number().int().min(1).max(10_000_000),
    prf: z.literal('hmac-sha256'),
    dklen,
    salt: buffer,
  }),
})
const encryption = z.object({
  cipher: z.literal('aes-128-ctr'),
  cipherparams: z.object({ iv: buffer.refine((iv) => iv.length === 16) }),
  ciphertext: buffer.refine((text) => text.length === 32),
  mac: buffer.refine((mac) => mac.length === 32),
})
const keystore = z.object({
  version: z.literal(3),
  address: z
    .string()
    .regex(/^(?:0x)?[0-9a-fA-F]{40}$/)
    .optional(),
  crypto: z.discriminatedUnion('kdf', [scrypt.extend(encryption.shape), pbkdf2.extend(encryption.shape)]),
})
/** Older files write `Crypto`. */
const file = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && 'Crypto' in value
      ? { ...value, crypto: value.Crypto }
      : value,
  keystore,
)

type Encrypted = z.output<typeof keystore>['crypto']

/**
 * @param text the content of the file
 * @throws DeployError `KEYSTORE_INVALID` for another format or a key of another address than the file states,
 * `PASSWORD_WRONG`
 */
export function decryptKeystore(text: string, password: string): Hex {
  const { crypto, address } = parse(text)
  const derived = derive(crypto, password)
  const mac = Buffer.from(
    keccak256(Buffer.concat([derived.subarray(16, 32), crypto.ciphertext])).slice(2),
    'hex',
  )
  if (!timingSafeEqual(mac, crypto.mac)) {
    throw new DeployError(
      'PASSWORD_WRONG',
      'the password does not open the keystore file, or the file is damaged',
    )
  }
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), crypto.cipherparams.iv)
  const key: Hex = `0x${Buffer.concat([decipher.update(crypto.ciphertext), decipher.final()]).toString('hex')}`
  requireAddress(key, address)
  return key
}

function parse(text: string) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new DeployError('KEYSTORE_INVALID', 'the keystore file is not JSON')
  }
  const result = file.safeParse(value)
  if (result.success) return result.data
  const places = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the file'))].join(', ')
  throw new DeployError(
    'KEYSTORE_INVALID',
    `the keystore file is not of version 3, or is damaged: see ${places}`,
  )
}

function derive(crypto: Encrypted, password: string): Buffer {
  if (crypto.kdf === 'pbkdf2') {
    const { salt, c, dklen: length } = crypto.kdfparams
    return pbkdf2Sync(password, salt, c, length, 'sha256')
  }
  const { salt, n, r, p, dklen: length } = crypto.kdfparams
  // Node refuses to use exactly what the parameters need, 128 · n · r.
  return scryptSync(password, salt, length, { N: n, r, p, maxmem: 256 * n * r + 1024 * 1024 })
}

function requireAddress(key: Hex, stated: string | undefined): void {
  const address = addressOf(key)
  if (stated !== undefined && address.slice(2) !== stated.replace(/^0x/, '').toLowerCase()) {
    throw new DeployError(
      'KEYSTORE_INVALID',
      `the keystore file states address ${stated}, but its key is that of ${address}`,
    )
  }
}

function addressOf(key: Hex): string {
  try {
    return privateKeyToAddress(key).toLowerCase()
  } catch {
    // Without its cause, whose message may contain the key.
    throw new DeployError('KEYSTORE_INVALID', 'the keystore file contains no valid private key')
  }
}
