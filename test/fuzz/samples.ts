/** Values that exist in the world, as the gateway shows them, and wallets that sign in to it. */

import type { GraphQLSchema } from 'graphql'
import { privateKeyToAccount } from 'viem/accounts'
import { STATEMENT_FORMATS } from '../../api/rest/statements/formats.ts'
import { type Requestable, signIn, signInMessage } from '../support/sign-in.ts'
import { sharedWorld } from '../support/world.ts'
import { listedTexts } from './listed-texts.ts'

const TEXTS = [
  ...['0', '1', '5', '1000000', String(2n ** 128n - 1n), String(2n ** 256n - 1n), '2030-01-31T12:00:00Z'],
  ...['1900000000', `0x${'11'.repeat(65)}`, '"a"', 'a'],
]

/** Rows of each list. */
const ROWS = 4

/** Ids, hashes, addresses, amounts, times and cursors: every text in the first rows of every list. */
export async function collectTexts(gateway: Requestable, schema: GraphQLSchema): Promise<string[]> {
  const { vaults, claimIds, accounts } = sharedWorld()
  const wallets = accounts.map(({ address }) => address)
  return [
    ...new Set([...TEXTS, ...vaults, ...claimIds, ...wallets, ...(await listedTexts(gateway, schema, ROWS))]),
  ]
}

const MESSAGES = 8
/** Some of the requests sign out, which ends the token that they carry. */
const TOKENS_PER_WALLET = 8

/** Future times and a claim type, as the text that each route takes: the description does not bound them. */
const BOUNDED = {
  from: ['2020-01-01', '2024-02-29', '2026-01-01T00:00:00Z'],
  to: ['2026-12-31', '2100-12-31', '2027-01-01T00:00:00+01:00'],
  zone: ['UTC', 'Europe/Berlin', 'Pacific/Apia', '+05:30'],
  dueDate: ['2030-01-31T12:00:00Z', '1900000000'],
  validUntil: ['2030-01-31T12:00:00Z', '1900000000'],
  assets: ['1000000', '7'],
  shares: ['1000000000000', '1'],
  claimType: ['0', '1', '255'],
}

/** Tokens of wallets of every role, and sign-in messages with the signatures of some of them. */
export async function signInAll(gateway: Requestable) {
  const wallets = sharedWorld()
    .accounts.filter(({ role }) => /^(wallet|issuer|lender)-[12]$/.test(role))
    .map(({ privateKey }) => privateKeyToAccount(privateKey))
  const tokens: string[] = []
  for (const wallet of wallets.flatMap((one) => Array.from({ length: TOKENS_PER_WALLET }, () => one)))
    tokens.push(await signIn(gateway, wallet))
  const signed = await Promise.all(
    wallets.slice(0, MESSAGES).map(async (wallet) => {
      const message = await signInMessage(gateway, wallet.address)
      return { message, signature: await wallet.signMessage({ message }) }
    }),
  )
  return {
    tokens,
    byName: {
      ...BOUNDED,
      file: wallets.flatMap(({ address }) => STATEMENT_FORMATS.map((format) => `${address}.${format}`)),
      message: signed.map(({ message }) => message),
      signature: signed.map(({ signature }) => signature),
    },
  }
}
