/** What `npm run deploy` prints. */
import { formatEther, formatGwei } from 'viem'
import { CONTRACTS } from '../contracts/protocol.ts'
import type { Manifest } from '../deployments/manifest.ts'
import type { Context } from './context.ts'
import { journalFile } from './journal.ts'
import type { Block } from './node.ts'
import type { Cost, Remaining } from './plan.ts'

type Row = readonly string[]

/** Columns of equal width, indented. */
function table(rows: readonly Row[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

export function planLines(
  { request, journal, protocol }: Context,
  remaining: readonly Remaining[],
  cost: Cost,
): string[] {
  const { roles } = journal
  const addresses: ReadonlyMap<string, string> = new Map(Object.entries(protocol))
  return [
    'The plan',
    '',
    ...table([
      ['chain', `${journal.chainId}, genesis block ${journal.genesis}`],
      ['deployer', `${journal.deployer}, balance ${formatEther(cost.balance)} of the chain's currency`],
      ['administrator', `${roles.admin}; a change takes ${roles.adminDelay} seconds`],
      ['issuer manager', roles.issuerManager],
      ['token manager', roles.tokenManager],
      ['vault manager', roles.vaultManager],
      ['pauser', roles.pauser],
      [
        'fee',
        `at most ${formatGwei(cost.maxFeePerGas)} gwei per gas, ${formatGwei(cost.maxPriorityFeePerGas)} of it as priority fee`,
      ],
      ['cost', `at most ${formatEther(cost.total)}; some layer-2 chains add a fee for data`],
      ['journal', journalFile(request.folder, journal.chainId)],
    ]),
    '',
    'Transactions, in this order',
    '',
    ...table([
      ['nonce', 'gas, at most', 'of', 'address'],
      ...remaining.map(({ step, gas }) => [
        `${step.nonce}`,
        `${gas}`,
        step.name,
        addresses.get(step.name) ?? '',
      ]),
    ]),
    '',
  ]
}

export function resultLines({ request }: Context, manifest: Manifest, block: Block): string[] {
  const { chainId, contracts, tokens } = manifest
  const settings = `CHAIN_ID=${chainId} RPC_URLS=<your node> DATABASE_URL=<postgres://…>`
  return [
    '',
    `Verified at block ${block.number} (${block.hash}): the code of each contract with its immutables, the references between`,
    'the contracts, the administrator, its delay, and the roles.',
    `The manifest is ${request.folder}/${chainId}.json. Keep it and the journal beside it, under version control.`,
    '',
    ...table([
      ...CONTRACTS.map((name) => [name, contracts[name]]),
      ...tokens.map(({ symbol, address }) => [`token ${printable(symbol)}`, address]),
    ]),
    '',
    'Next, each with the database role of docs/deploying.md:',
    '',
    `  ${settings} npm run start:indexer`,
    `  ${settings} npm run start:gateway`,
  ]
}

/** A token chooses its symbol: control characters could change what a terminal shows. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?')
