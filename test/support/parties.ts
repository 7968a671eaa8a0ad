/** Who acts in the tests: each party has one role, an address, and the key that signs for it. */
import type { Address, HDAccount } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * A smart wallet signs with its owner's key (ERC-1271) and acts through calls of its owner. An impersonated party is
 * a contract in whose name a call is only tried.
 */
export type Party = { kind: 'EOA' | 'SMART_WALLET' | 'IMPERSONATED'; address: Address; key: HDAccount }

const ANVIL_MNEMONIC = 'test test test test test test test test test test test junk'

const ROLES = [
  'admin',
  'issuer',
  'otherIssuer',
  'beneficiary',
  'otherBeneficiary',
  'curator',
  'provider',
  'payer',
  'relayer',
  'stranger',
] as const

/** `provider` supplies a vault's capital, `payer` pays a claim when it is due, `relayer` submits what others signed. */
export type Parties = Record<(typeof ROLES)[number], Party>

/** The parties are anvil's ten well-known accounts, in the order of `ROLES`. */
export function wellKnownParties(): Parties {
  const party = (role: (typeof ROLES)[number]): Party => {
    const key = mnemonicToAccount(ANVIL_MNEMONIC, { addressIndex: ROLES.indexOf(role) })
    return { kind: 'EOA', address: lowercase(key.address), key }
  }
  return {
    admin: party('admin'),
    issuer: party('issuer'),
    otherIssuer: party('otherIssuer'),
    beneficiary: party('beneficiary'),
    otherBeneficiary: party('otherBeneficiary'),
    curator: party('curator'),
    provider: party('provider'),
    payer: party('payer'),
    relayer: party('relayer'),
    stranger: party('stranger'),
  }
}

export function lowercase(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}
