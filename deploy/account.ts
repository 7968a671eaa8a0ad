import { readFileSync } from 'node:fs'
import { DeployError, type DeployErrorCode } from './errors.ts'
import { decryptKeystore } from './keystore.ts'
import type { Account } from './options.ts'
import { keySigner, type Signer, unlockedSigner } from './signer.ts'

/** @throws DeployError, never with the key or the password */
export function signerOf(account: Account): Signer {
  if (account.kind === 'unlocked') return unlockedSigner(account.address)
  if (account.kind === 'key') return keySigner(account.key)
  return keySigner(decryptKeystore(fileText(account.file, 'KEYSTORE_INVALID'), passwordOf(account)))
}

/** One line break at the end of the file is not part of the password. */
function passwordOf({ passwordFile, password }: Extract<Account, { kind: 'keystore' }>): string {
  if (passwordFile !== undefined) return fileText(passwordFile, 'PASSWORD_MISSING').replace(/\r?\n$/, '')
  if (password !== undefined) return password
  throw new DeployError('PASSWORD_MISSING', 'give --password-file, or the variable KEYSTORE_PASSWORD')
}

function fileText(file: string, code: DeployErrorCode): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new DeployError(code, `${file} cannot be read`, { cause })
  }
}
