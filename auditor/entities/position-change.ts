import { type SqlBool, sql } from 'kysely'
import { type Address, zeroAddress } from 'viem'
import { lowercaseAddress } from '../../api/domain/address.ts'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'
import type { PositionChangeKind } from '../../ponder.schema.ts'
import type { ProtocolLog } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { idOf, placeOfId } from './event-id.ts'

type PositionChange = ProjectionTables['positionChange']
type Held = Pick<PositionChange, (typeof HELD)[number]>
type Sums = Pick<PositionChange, (typeof SUMS)[number]>
type Holdings = Map<string, Held>
type Change = Pick<PositionChange, 'kind' | 'assets' | 'shares' | 'owner' | 'counterparty'> &
  Held & { log: ProtocolLog }

const SUMS = [
  'sharesAfter',
  'costBasisAfter',
  'depositedAfter',
  'withdrawnAfter',
  'receivedAfter',
  'sentAfter',
  'realizedGainAfter',
] as const
const HELD = [...SUMS, 'sinceAfter'] as const
const NOTHING: Held = {
  sharesAfter: 0n,
  costBasisAfter: 0n,
  depositedAfter: 0n,
  withdrawnAfter: 0n,
  receivedAfter: 0n,
  sentAfter: 0n,
  realizedGainAfter: 0n,
  sinceAfter: null,
}

/**
 * The events of the block change the positions that the wallets had before it, which are in their previous rows. The
 * last row of a position has the shares that the vault has (`vaultPosition`).
 */
export const positionChange = auditTable('positionChange', {
  key: ['id'],
  order: { column: 'id', of: 'event' },
  implied: (log) => kindsOf(log).map((kind) => String(idOf(log, kind))),
  related: readHoldings,
  prove: async ({ id }, holdings, { logs, timestamp }) => {
    const { block, logIndex } = placeOfId(id)
    const ofBlock = await logs(block)
    const event = ofBlock.find((log) => log.logIndex === logIndex)
    const own = ofBlock.filter((log) => log.address === event?.address)
    const at = await timestamp(block)
    const change = replay(own, holdings, at).find(({ log, kind }) => idOf(log, kind) === id)
    if (!change) return undefined
    const { log, ...columns } = change
    return {
      id,
      vault: lowercaseAddress(log.address),
      ...columns,
      block,
      at,
      tx: log.transactionHash,
    }
  },
})

/** The rows that result from one event. */
function kindsOf(log: ProtocolLog): PositionChangeKind[] {
  if (log.eventName === 'Transfer') {
    const { from, to, value } = log.args
    const isMoved = value > 0n && from !== to && from !== zeroAddress && to !== zeroAddress
    return isMoved ? ['SENT', 'RECEIVED'] : []
  }
  if (log.eventName !== 'Deposit' && log.eventName !== 'Withdraw') return []
  if (log.args.assets === 0n && log.args.shares === 0n) return []
  return [log.eventName === 'Deposit' ? 'DEPOSIT' : 'WITHDRAWAL']
}

/**
 * The changes by the events of one vault in one block.
 *
 * @param before holdings before the block, by wallet
 * @param at time of the block
 */
function replay(
  logs: readonly ProtocolLog[],
  before: ReadonlyMap<string, Held>,
  at: bigint | undefined,
): Change[] {
  const holdings: Holdings = new Map(before)
  const changes: Change[] = []
  for (const log of logs) {
    const kinds = kindsOf(log)
    const { assets, shares } = apply(log, holdings, at)
    for (const kind of kinds) {
      const [owner, counterparty] = partiesOf(log, kind)
      if (owner === undefined) continue
      changes.push({ log, kind, assets, shares, owner, counterparty, ...heldBy(holdings, owner) })
    }
  }
  return changes
}

/** The wallet whose position changes, and the other wallet of a transfer. */
function partiesOf(
  log: ProtocolLog,
  kind: PositionChangeKind,
): readonly [Address | undefined, Address | null] {
  if (log.eventName === 'Deposit' || log.eventName === 'Withdraw')
    return [lowercaseAddress(log.args.owner), null]
  if (log.eventName !== 'Transfer') return [undefined, null]
  const [from, to] = [lowercaseAddress(log.args.from), lowercaseAddress(log.args.to)]
  return kind === 'SENT' ? [from, to] : [to, from]
}

/** Changes the holdings by an event at a time. @returns the assets or the cost that moved, and the shares */
function apply(
  log: ProtocolLog,
  holdings: Holdings,
  at: bigint | undefined,
): { assets: bigint; shares: bigint } {
  const change = (wallet: Address, by: Partial<Sums>) => add(holdings, wallet, by, at)
  if (log.eventName === 'Deposit' || log.eventName === 'Withdraw') {
    const { owner, assets, shares } = log.args
    if (log.eventName === 'Deposit') change(owner, { costBasisAfter: assets, depositedAfter: assets })
    else change(owner, { realizedGainAfter: assets, withdrawnAfter: assets })
    return { assets, shares }
  }
  if (log.eventName !== 'Transfer') return { assets: 0n, shares: 0n }
  const { from, to, value: shares } = log.args
  if (shares === 0n || from === to) return { assets: 0n, shares: 0n }
  const { sharesAfter, costBasisAfter } = heldBy(holdings, from)
  const assets = sharesAfter === 0n ? 0n : (costBasisAfter * shares) / sharesAfter
  const moved = { sharesAfter: -shares, costBasisAfter: -assets }
  change(from, { ...moved, ...(to === zeroAddress ? { realizedGainAfter: -assets } : { sentAfter: assets }) })
  const received = from === zeroAddress ? 0n : assets
  change(to, { sharesAfter: shares, costBasisAfter: assets, receivedAfter: received })
  return { assets, shares }
}

function heldBy(holdings: Holdings, wallet: Address): Held {
  return holdings.get(lowercaseAddress(wallet)) ?? NOTHING
}

function add(holdings: Holdings, wallet: Address, change: Partial<Sums>, at: bigint | undefined): void {
  if (wallet === zeroAddress) return
  const after = { ...heldBy(holdings, wallet) }
  for (const sum of SUMS) after[sum] += change[sum] ?? 0n
  const sinceAfter = after.sharesAfter === 0n ? null : (after.sinceAfter ?? at ?? null)
  holdings.set(lowercaseAddress(wallet), { ...after, sinceAfter })
}

/** Before the block of each row: the holdings of all wallets whose positions in the vault change in it. */
async function readHoldings(db: ProjectionDb, rows: readonly PositionChange[]) {
  const firstOfBlock = sql`(changed.id - changed.id % ${sql.lit(String(firstOrdinalOf(1n)))}::int8)`
  const found = await db
    .selectFrom('positionChange as changed')
    .innerJoin('positionChange as beside', (join) =>
      join
        .onRef('beside.vault', '=', 'changed.vault')
        .on(sql<SqlBool>`beside.id >= ${firstOfBlock}`)
        .on(sql<SqlBool>`beside.id < ${firstOfBlock} + ${sql.lit(String(firstOrdinalOf(1n)))}::int8`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('positionChange as earlier')
          .select(HELD.map((column) => `earlier.${column}` as const))
          .whereRef('earlier.vault', '=', 'beside.vault')
          .whereRef('earlier.owner', '=', 'beside.owner')
          .where(sql<SqlBool>`earlier.id < ${firstOfBlock}`)
          .orderBy('earlier.id', 'desc')
          .limit(1)
          .as('before'),
      (join) => join.onTrue(),
    )
    .select(['changed.id', 'beside.owner', ...HELD.map((column) => `before.${column}` as const)])
    .where('changed.id', 'in', [-1n, ...rows.map(({ id }) => id)])
    .execute()
  const byRow = Map.groupBy(found, ({ id }) => id)
  return ({ id }: PositionChange) =>
    new Map<string, Held>((byRow.get(id) ?? []).map(({ owner, id: _, ...held }) => [owner, held]))
}
