/** Output of `npm run deploy`. */
import { join } from 'node:path'
import { formatEther, formatGwei } from 'viem'
import { CONTRACTS } from '../contracts/protocol.ts'
import type { Manifest } from '../deployments/manifest.ts'
import type { Context } from './context.ts'
import { type Journal, journalFile } from './journal.ts'
import type { Block } from './node.ts'
import type { Cost, Remaining } from './plan.ts'

type Row = readonly string[]

/** Where the indexer and the gateway look for manifests by default. */
const OWN_FOLDER = join(import.meta.dirname, '../deployments')

export function planLines(
  { request, journal, protocol }: Context,
  remaining: readonly Remaining[],
  cost: Cost,
): string[] {
  const addresses: ReadonlyMap<string, string> = new Map(Object.entries(protocol))
  const [most, priority] = [formatGwei(cost.maxFeePerGas), formatGwei(cost.maxPriorityFeePerGas)]
  return [
    'The plan',
    '',
    ...table([
      ['chain', `${journal.chainId}, genesis block ${journal.genesis}`],
      ['deployer', `${journal.deployer}, balance ${formatEther(cost.balance)} of the chain's currency`],
      ...roleRows(journal),
      ['fee', `at most ${most} gwei per gas, ${priority} of it as priority fee`],
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

export function resultLines({ request, journal }: Context, manifest: Manifest, block: Block): string[] {
  const { chainId, contracts, tokens } = manifest
  return [
    '',
    `Verified at block ${block.number}, ${block.hash}:`,
    'the code of each contract with its immutables, the references between them, and who administers them.',
    '',
    ...table([['deployer', journal.deployer], ...roleRows(journal)]),
    '',
    `The manifest is ${join(request.folder, `${chainId}.json`)}. Keep it and the journal beside it under version control.`,
    '',
    ...table([
      ...CONTRACTS.map((name) => [name, contracts[name]]),
      ...tokens.map(({ symbol, address }) => [`token ${printable(symbol)}`, address]),
    ]),
    '',
    'Next, as docs/deploying.md describes:',
    '',
    ...['start:indexer', 'start:gateway'].map(
      (script) => `  ${settingsOf(request, chainId)} npm run ${script}`,
    ),
  ]
}

function settingsOf({ folder }: Context['request'], chainId: number): string {
  const own = folder === OWN_FOLDER ? '' : ` DEPLOYMENTS_DIR=${folder}`
  return `CHAIN_ID=${chainId}${own} RPC_URLS=<your node> DATABASE_URL=<its database role>`
}

function roleRows({ roles }: Journal): Row[] {
  return [
    ['administrator', `${roles.admin}; a change takes ${roles.adminDelay} seconds`],
    ['issuer manager', roles.issuerManager],
    ['token manager', roles.tokenManager],
    ['vault manager', roles.vaultManager],
    ['pauser', roles.pauser],
  ]
}

/** Columns of equal width, indented. */
function table(rows: readonly Row[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

/** A token chooses its symbol: control characters could change what a terminal shows. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?')
