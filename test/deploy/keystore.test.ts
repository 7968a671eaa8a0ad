/** Keys from keystore files, and what the messages about them contain. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encryptKeystoreJson } from 'ethers'
import { type Hex, keccak256, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signerOf } from '../../deploy/account.ts'
import { DeployError } from '../../deploy/errors.ts'
import { decryptKeystore } from '../../deploy/keystore.ts'

const PASSWORD = 'correct horse battery staple'
const key: Hex = keccak256(stringToHex('a key for tests'))
const address = privateKeyToAddress(key)
const scrypt = await encryptKeystoreJson({ address, privateKey: key }, PASSWORD, {
  scrypt: { N: 1024, r: 8, p: 1 },
})

/** The test vector of the standard (Web3 Secret Storage Definition) with PBKDF2. */
const pbkdf2 = `{"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},"ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdf":"pbkdf2","kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256","salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},"mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},"id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}`

/** Parameters that need more memory than Node allows by default, and the address as other wallets write it. */
const demanding = (
  await encryptKeystoreJson({ address, privateKey: key }, '', { scrypt: { N: 2 ** 15, r: 8, p: 1 } })
).replace(/"address":"\w+"/, `"address":"${address}"`)

const other = privateKeyToAddress(keccak256(key)).slice(2)

const folder = mkdtempSync(join(tmpdir(), 'claim-financing-keystore-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

function failureOf(work: () => unknown): DeployError {
  try {
    work()
  } catch (error) {
    if (error instanceof DeployError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a keystore file', () => {
  it('of scrypt or PBKDF2 gives its key', () => {
    expect(decryptKeystore(scrypt, PASSWORD)).toBe(key)
    expect(decryptKeystore(pbkdf2, 'testpassword')).toBe(
      '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
    )
  })

  it('may need more memory than Node allows by default, have no password, and state its address with a checksum', () => {
    expect(demanding).toContain(`"address":"${address}"`)
    const signer = signerOf({ kind: 'keystore', file: fileWith('demanding.json', demanding), password: '' })
    expect(signer.address).toBe(address.toLowerCase())
  })

  it('is opened with the password of a file, which may end with a line break, or of the variable', () => {
    const file = fileWith('keystore.json', scrypt)
    const files = ['', '\n', '\r\n'].map((end, index) => fileWith(`password ${index}`, `${PASSWORD}${end}`))
    const opened = [
      ...files.map((passwordFile) => ({ passwordFile, password: 'another' })),
      { password: PASSWORD },
    ]
    for (const each of opened) {
      const signer = signerOf({ kind: 'keystore', file, ...each })
      expect(signer.address).toBe(address.toLowerCase())
    }
    const passwordFile = fileWith('password', `${PASSWORD}\n\n`)
    expect(failureOf(() => signerOf({ kind: 'keystore', file, passwordFile })).code).toBe('PASSWORD_WRONG')
  })

  it('is refused with a wrong password, or none', () => {
    expect(failureOf(() => decryptKeystore(scrypt, `${PASSWORD} `)).code).toBe('PASSWORD_WRONG')
    const file = fileWith('keystore.json', scrypt)
    expect(failureOf(() => signerOf({ kind: 'keystore', file })).code).toBe('PASSWORD_MISSING')
    const absent = join(folder, 'absent')
    expect(failureOf(() => signerOf({ kind: 'keystore', file, passwordFile: absent })).code).toBe(
      'PASSWORD_MISSING',
    )
    expect(failureOf(() => signerOf({ kind: 'keystore', file: absent, password: '' })).code).toBe(
      'KEYSTORE_INVALID',
    )
  })

  it.each([
    ['is no JSON', 'not JSON', /is not JSON/],
    ['is a list', '[]', /not of version 3/],
    ['has another version', scrypt.replace('"version":3', '"version":1'), /see version/],
    ['has another cipher', scrypt.replace('aes-128-ctr', 'aes-256-gcm'), /see crypto.cipher/],
    [
      'has too much work for a derivation',
      scrypt.replace('"n":1024', '"n":1073741824'),
      /see crypto.kdfparams.n/,
    ],
    ['has too large blocks', scrypt.replace('"r":8', '"r":17'), /see crypto.kdfparams.r/],
    ['has too much parallel work', scrypt.replace('"p":1', '"p":17'), /see crypto.kdfparams.p/],
    ['has a short key', scrypt.replace('"dklen":32', '"dklen":16'), /see crypto.kdfparams.dklen/],
    ['has a short code', scrypt.replace(/"mac":"../, '"mac":"'), /see crypto.mac/],
    ['has a short vector', scrypt.replace(/"iv":"../, '"iv":"'), /see crypto.cipherparams.iv/],
    ['has a short text', scrypt.replace(/"ciphertext":"../, '"ciphertext":"'), /see crypto.ciphertext/],
    ['has too many iterations', pbkdf2.replace('"c":262144', '"c":10000001'), /see crypto.kdfparams.c/],
    ['has another function', pbkdf2.replace('hmac-sha256', 'hmac-sha512'), /see crypto.kdfparams.prf/],
    ['has another address', scrypt.replace(/"address":"\w+"/, `"address":"${other}"`), /states address/],
  ])('is refused where it %s', (_, text, message) => {
    expect([scrypt, pbkdf2]).not.toContain(text)
    const error = failureOf(() => decryptKeystore(text, PASSWORD))
    expect([error.code, error.message]).toEqual(['KEYSTORE_INVALID', expect.stringMatching(message)])
  })

  it('is refused like one with a wrong password where its text is changed', () => {
    const { Crypto } = z.object({ Crypto: z.object({ ciphertext: z.string() }) }).parse(JSON.parse(scrypt))
    const damaged = scrypt.replace(
      Crypto.ciphertext,
      Crypto.ciphertext.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    )
    expect(failureOf(() => decryptKeystore(damaged, PASSWORD)).code).toBe('PASSWORD_WRONG')
  })
})

describe('a private key', () => {
  it('is taken with or without 0x', () => {
    for (const text of [key, key.slice(2), `${key}\n`]) {
      expect(signerOf({ kind: 'key', key: text }).address).toBe(address.toLowerCase())
    }
  })

  it('that is invalid is refused without its text', () => {
    const tooLarge = 'f'.repeat(64)
    for (const text of [key.slice(0, 65), `${key}0`, key.replace(/.$/, 'g'), tooLarge, '0'.repeat(64)]) {
      const error = failureOf(() => signerOf({ kind: 'key', key: text }))
      expect(error.code).toBe('KEY_INVALID')
      expect(`${error.stack} ${error.cause}`).not.toContain(text.slice(2, 40))
    }
  })
})
