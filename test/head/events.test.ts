/** The view of unfinalized events has those that the projection handles, and no others. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Abi,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  getAddress,
  type Hex,
  zeroAddress,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { ARGUMENT_LENGTH, abisOf, type ChainLog, toEvent, vaultEvents } from '../../api/head/event.ts'
import { loadManifest } from '../../deployments/manifest.ts'

const SOURCES = join(import.meta.dirname, '../../src')

function handledEvents(): string[] {
  const files = readdirSync(SOURCES).filter((name) => name.endsWith('.ts'))
  const text = files.map((name) => readFileSync(join(SOURCES, name), 'utf8')).join('\n')
  const names = [...text.matchAll(/ponder\.on\('\w+:(\w+)'/g)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => name !== 'setup').sort()
}

it('shows the events that have a handler of the indexer', () => {
  const abis = [...abisOf(loadManifest(31_337)).values(), vaultEvents]
  const names = abis.flatMap((events) => [...events.values()].map(({ name }) => name))
  const shown = [...new Set(names)].sort()
  expect(shown).toEqual(handledEvents())
})

const manifest = loadManifest(31_337)
const { contracts } = manifest
const abis = abisOf(manifest)
/** Addresses as nodes may write them: with letters of both cases. */
const VAULT = getAddress(`0xabcdef${'1'.padStart(34, '0')}`)
const WALLET = getAddress(`0xabcdef${'2'.padStart(34, '0')}`)
const OTHER = getAddress(`0xabcdef${'3'.padStart(34, '0')}`)
const TOKEN = getAddress(`0xabcdef${'4'.padStart(34, '0')}`)
const HASH: Hex = `0x${'ab'.repeat(32)}`
const lower = (address: Hex) => address.toLowerCase()

function logOf(address: Hex, abi: Abi, eventName: string, args: Readonly<Record<string, unknown>>): ChainLog {
  const event = getAbiItem({ abi, name: eventName })
  if (event?.type !== 'event') throw new Error(`no event ${eventName}`)
  const [selector, ...indexed] = encodeEventTopics({ abi, eventName, args }).flatMap((topic) => topic ?? [])
  const plain = event.inputs.filter((input) => !input.indexed)
  return {
    address,
    topics: selector === undefined ? [] : [selector, ...indexed],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name }) => args[name ?? '']),
    ),
    blockHash: HASH,
    blockNumber: 7n,
    transactionHash: HASH,
    transactionIndex: 0,
    logIndex: 3,
    removed: false,
  }
}

const transfer = (from: Hex, to: Hex) => logOf(VAULT, financingVaultAbi, 'Transfer', { from, to, value: 5n })

describe('an event of a vault', () => {
  it('is about this vault and its wallets, in lowercase letters', () => {
    expect(toEvent(transfer(WALLET, OTHER), abis)).toEqual({
      name: 'Transfer',
      contract: lower(VAULT),
      arguments: [
        { name: 'from', type: 'address', value: lower(WALLET) },
        { name: 'to', type: 'address', value: lower(OTHER) },
        { name: 'value', type: 'uint256', value: '5' },
      ],
      wallets: [lower(WALLET), lower(OTHER)],
      claimId: undefined,
      executionId: undefined,
      vault: lower(VAULT),
      transactionHash: HASH,
      logIndex: 3,
    })
  })

  it('concerns each wallet once, and not the address 0, which makes and burns shares', () => {
    expect(toEvent(transfer(WALLET, WALLET), abis)?.wallets).toEqual([lower(WALLET)])
    expect(toEvent(transfer(zeroAddress, OTHER), abis)?.wallets).toEqual([lower(OTHER)])
    expect(toEvent(transfer(WALLET, zeroAddress), abis)?.wallets).toEqual([lower(WALLET)])
  })

  it('has an argument for each field of a struct, under the name of both', () => {
    const pricing = { baseDiscountBps: 100, durationBpsPerDay: 2, premiumBps: [7, 8] }
    expect(toEvent(logOf(VAULT, financingVaultAbi, 'PricingChanged', { pricing }), abis)?.arguments).toEqual([
      { name: 'pricing.baseDiscountBps', type: 'uint16', value: '100' },
      { name: 'pricing.durationBpsPerDay', type: 'uint16', value: '2' },
      { name: 'pricing.premiumBps', type: 'uint16[]', value: '7,8' },
    ])
  })

  it('is not one of another contract, and none that changes nothing here', () => {
    const status = logOf(VAULT, vaultRegistryAbi, 'VaultStatusChanged', { vault: VAULT, active: true })
    expect(toEvent(status, abis)).toBeUndefined()
    const approval = { owner: WALLET, spender: OTHER, value: 5n }
    expect(toEvent(logOf(VAULT, financingVaultAbi, 'Approval', approval), abis)).toBeUndefined()
  })
})

describe('an event of a contract of the protocol', () => {
  it('concerns wallets, and neither tokens nor vaults', () => {
    const registered = {
      claimId: HASH,
      issuer: WALLET,
      beneficiary: OTHER,
      token: TOKEN,
      faceValue: 9n,
      dueDate: 8n,
      claimType: 1,
      documentHash: HASH,
    }
    const log = logOf(contracts.claimRegistry, claimRegistryAbi, 'ClaimRegistered', registered)
    expect(toEvent(log, abis)).toMatchObject({
      contract: contracts.claimRegistry,
      wallets: [lower(WALLET), lower(OTHER)],
      claimId: HASH,
      vault: undefined,
    })
    const status = { vault: VAULT, active: false }
    const changed = logOf(contracts.vaultRegistry, vaultRegistryAbi, 'VaultStatusChanged', status)
    expect(toEvent(changed, abis)).toMatchObject({ wallets: [], vault: lower(VAULT) })
  })

  it(`has at most ${ARGUMENT_LENGTH} characters of a value`, () => {
    const nameOf = (length: number) => {
      const token = { token: TOKEN, symbol: 'T', name: 'n'.repeat(length), decimals: 6 }
      const event = toEvent(logOf(contracts.tokenRegistry, tokenRegistryAbi, 'TokenAdded', token), abis)
      return event?.arguments.find(({ name }) => name === 'name')?.value
    }
    expect(ARGUMENT_LENGTH).toBe(2048)
    expect([nameOf(2048), nameOf(2049)]).toEqual(['n'.repeat(2048), 'n'.repeat(2048)])
  })
})
