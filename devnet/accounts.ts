/** The demo accounts: anvil's well-known mnemonic, so every key here is public. Do not use them on any other chain. */
import { pbkdf2Sync } from 'node:crypto'
import { type Address, bytesToHex, type Hex } from 'viem'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'
import type { Role } from './world/plan.ts'

const ANVIL_MNEMONIC = 'test test test test test test test test test test test junk'

/** As BIP-39 has it. It is computed once: viem would compute it in JavaScript for each account. */
const MASTER_KEY = HDKey.fromMasterSeed(pbkdf2Sync(ANVIL_MNEMONIC, 'mnemonic', 2048, 64, 'sha512'))

export type DemoAccount = { role: Role; name: string; address: Address; privateKey: Hex; signer: HDAccount }

/** The account at the actor's place in the mnemonic. */
export function demoAccount(actor: { role: Role; name: string }, index: number): DemoAccount {
  const signer = hdKeyToAccount(MASTER_KEY, { addressIndex: index })
  const { privateKey } = signer.getHdKey()
  if (!privateKey) throw new Error(`account ${index} of the mnemonic has no private key`)
  return {
    ...actor,
    address: lowercase(signer.address),
    privateKey: bytesToHex(privateKey),
    signer,
  }
}

export function lowercase(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}
