/** Events of the protocol, decoded by the ABIs. */
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  type Address,
  decodeEventLog,
  type Hex,
  type Log,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import { lowercaseAddress } from '../domain/address.ts'

/** `type` is that of the ABI. `value` is a decimal number, hex, a text or a list of them with commas. */
export type EventArgument = { readonly name: string; readonly type: string; readonly value: string }

export type ChainEvent = {
  readonly name: string
  readonly contract: Address
  readonly arguments: readonly EventArgument[]
  /** Wallets that the event concerns. */
  readonly wallets: readonly Address[]
  readonly claimId: Hex | undefined
  readonly executionId: Hex | undefined
  readonly vault: Address | undefined
  readonly transactionHash: Hex
  readonly logIndex: number
}

/** Events that change no row of the projection. */
const UNPROJECTED: ReadonlySet<string> = new Set([
  'Approval',
  'AttestationCancelled',
  'DefaultAdminDelayChangeCanceled',
  'DefaultAdminDelayChangeScheduled',
  'DefaultAdminTransferCanceled',
  'DefaultAdminTransferScheduled',
  'EIP712DomainChanged',
  'OwnershipTransferStarted',
  'RepaymentHeld',
  'RoleAdminChanged',
  'RoleGranted',
  'RoleRevoked',
])

/** A log of a block. */
export type ChainLog = Log<bigint, number, false>

/** Events of a contract by their first topic, which takes longer to compute than an event to decode. */
type Events = ReadonlyMap<Hex, AbiEvent>

/** Events of the contracts of the deployment, by address. Every other contract that is asked for is a vault. */
export type Abis = ReadonlyMap<Address, Events>

export function abisOf({ contracts }: Manifest): Abis {
  return new Map([
    [contracts.issuerRegistry, eventsOf(issuerRegistryAbi)],
    [contracts.tokenRegistry, eventsOf(tokenRegistryAbi)],
    [contracts.claimRegistry, eventsOf(claimRegistryAbi)],
    [contracts.vaultRegistry, eventsOf(vaultRegistryAbi)],
    [contracts.financingRouter, eventsOf(financingRouterAbi)],
  ])
}

function eventsOf(abi: Abi): Events {
  const events = abi.filter((item) => item.type === 'event' && !UNPROJECTED.has(item.name))
  return new Map(events.flatMap((item) => (item.type === 'event' ? [[toEventSelector(item), item]] : [])))
}

export const vaultEvents = eventsOf(financingVaultAbi)

/** @returns the event; undefined for one that changes nothing that this API shows */
export function toEvent(log: ChainLog, abis: Abis): ChainEvent | undefined {
  const contract = lowercaseAddress(log.address)
  const own = abis.get(contract)
  const event = log.topics[0] && (own ?? vaultEvents).get(log.topics[0])
  const values = event && decode(log, event)
  if (!values) return undefined
  const all = event.inputs.flatMap((input) => toArguments(input, '', values.get(input.name ?? '')))
  const argumentOf = (name: string) => all.find((argument) => argument.name === name)?.value
  return {
    name: event.name,
    contract,
    arguments: all,
    wallets: walletsIn(all),
    claimId: toHex(argumentOf('claimId')),
    executionId: toHex(argumentOf('executionId')),
    vault: own ? toHex(argumentOf('vault')) : contract,
    transactionHash: log.transactionHash,
    logIndex: log.logIndex,
  }
}

/** The contracts emit events of their ABI alone. A log of another form is the invention of a node, and is left out. */
function decode({ topics, data }: ChainLog, event: AbiEvent): ReadonlyMap<string, unknown> | undefined {
  try {
    const { args } = decodeEventLog({ abi: [event], topics, data })
    return new Map(Object.entries(args ?? {}))
  } catch {
    return undefined
  }
}

/** Characters of a value. The longest is the list of premiums of all claim types; a longer one is cut. */
export const ARGUMENT_LENGTH = 2048

/** The fields of a struct have the name of the struct before theirs. */
function toArguments(parameter: AbiParameter, prefix: string, value: unknown): EventArgument[] {
  const name = `${prefix}${parameter.name}`
  if ('components' in parameter && parameter.type === 'tuple') {
    const fields = new Map(Object.entries(Object(value)))
    return parameter.components.flatMap((field) =>
      toArguments(field, `${name}.`, fields.get(field.name ?? '')),
    )
  }
  const text = String(value).slice(0, ARGUMENT_LENGTH)
  return [{ name, type: parameter.type, value: parameter.type === 'address' ? text.toLowerCase() : text }]
}

/** Addresses that are no wallets, by the names of their arguments. */
const CONTRACTS: ReadonlySet<string> = new Set(['token', 'vault'])

function walletsIn(all: readonly EventArgument[]): Address[] {
  const found = all.filter(({ name, type }) => type === 'address' && !CONTRACTS.has(name))
  const wallets = found.flatMap(({ value }) => toHex(value) ?? [])
  return [...new Set(wallets)].filter((wallet) => wallet !== zeroAddress)
}

function toHex(value: string | undefined): Hex | undefined {
  return value?.startsWith('0x') ? `0x${value.slice(2)}` : undefined
}
