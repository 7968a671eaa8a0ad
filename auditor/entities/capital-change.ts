import { lowercaseAddress } from '../../api/domain/address.ts'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'
import type { CapitalChangeKind } from '../../ponder.schema.ts'
import type { ProtocolLog } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { idOf, placeOfId } from './event-id.ts'
import { readLinesAfter } from './lines-after.ts'

type CapitalChange = ProjectionTables['capitalChange']
type Figures = Pick<CapitalChange, (typeof FIGURES)[number]>
type Movement = Partial<Figures> & { kind: CapitalChangeKind; amount: bigint } & Partial<Slice>
type Slice = Pick<CapitalChange, 'claimId' | 'sliceIndex' | 'discount'>

const FIGURES = [
  'idleAssets',
  'outstandingFace',
  'outstandingAdvance',
  'totalShares',
  'discountEarned',
] as const

/**
 * Kind, amount and position are in the event at the row's position. The figures are those of the vault's previous row
 * plus what the event adds; the figures of the last row are in the vault's state. The lines are those of its day, less
 * what later rows of the day add.
 */
export const capitalChange = auditTable('capitalChange', {
  key: ['id'],
  order: { column: 'id', of: 'event' },
  implied: (log) => (movementOf(log) ? [String(idOf(log))] : []),
  related: async (db, rows) => {
    const before = await readBefore(db, rows)
    const lines = await readLinesAfter(db, rows)
    const activities = await readActivities(db, rows)
    return ({ id }) => ({
      before: before.get(id),
      lines: lines.get(id),
      activities: activities.get(id)?.length ?? 0,
    })
  },
  prove: async ({ id }, { before = NOTHING, lines }, { logs, timestamp }) => {
    const { block, logIndex } = placeOfId(id)
    const log = (await logs(block)).find((one) => one.logIndex === logIndex)
    const movement = log && movementOf(log)
    if (!movement) return undefined
    return {
      id: idOf(log),
      vault: lowercaseAddress(log.address),
      kind: movement.kind,
      amount: movement.amount,
      claimId: movement.claimId ?? null,
      sliceIndex: movement.sliceIndex ?? null,
      discount: movement.discount ?? null,
      idleAssets: before.idleAssets + (movement.idleAssets ?? 0n),
      outstandingFace: before.outstandingFace + (movement.outstandingFace ?? 0n),
      outstandingAdvance: before.outstandingAdvance + (movement.outstandingAdvance ?? 0n),
      totalShares: before.totalShares + (movement.totalShares ?? 0n),
      gainPerSecond: lines?.gainPerSecond,
      gainOffset: lines?.gainOffset,
      lossPerSecond: lines?.lossPerSecond,
      lossOffset: lines?.lossOffset,
      discountEarned: before.discountEarned + (movement.discountEarned ?? 0n),
      block: log.blockNumber,
      at: await timestamp(log.blockNumber),
      tx: log.transactionHash,
    }
  },
  count: async ({ kind }, { activities }) => [
    {
      field: 'count(activity)',
      projected: activities,
      onChain: kind === 'DEPOSIT' || kind === 'WITHDRAWAL' ? 1 : 0,
    },
  ],
})

const NOTHING: Figures = {
  idleAssets: 0n,
  outstandingFace: 0n,
  outstandingAdvance: 0n,
  totalShares: 0n,
  discountEarned: 0n,
}

/** The change of its vault's figures by an event; undefined for one that moves no capital. */
function movementOf(log: ProtocolLog): Movement | undefined {
  if (log.eventName === 'Deposit') {
    const { assets, shares: totalShares } = log.args
    return { kind: 'DEPOSIT', amount: assets, idleAssets: assets, totalShares }
  }
  if (log.eventName === 'Withdraw') {
    const { assets, shares } = log.args
    return { kind: 'WITHDRAWAL', amount: assets, idleAssets: -assets, totalShares: -shares }
  }
  if (log.eventName === 'Funded') {
    const { claimId, sliceIndex, faceAmount: outstandingFace, advanceAmount } = log.args
    const amounts = { amount: advanceAmount, idleAssets: -advanceAmount, outstandingAdvance: advanceAmount }
    const discount = outstandingFace - advanceAmount
    return { kind: 'FUNDING', claimId, sliceIndex, discount, outstandingFace, ...amounts }
  }
  if (log.eventName === 'Repaid') {
    const { claimId, sliceIndex, faceAmount, advanceAmount } = log.args
    const discount = faceAmount - advanceAmount
    const figures = {
      idleAssets: faceAmount,
      outstandingFace: -faceAmount,
      outstandingAdvance: -advanceAmount,
      discountEarned: discount,
    }
    return { kind: 'REPAYMENT', claimId, sliceIndex, discount, amount: faceAmount, ...figures }
  }
  return undefined
}

/** Figures of each vault right before some of its changes. */
async function readBefore(db: ProjectionDb, rows: readonly CapitalChange[]) {
  const found = await db
    .selectFrom('capitalChange')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('capitalChange as earlier')
          .select(FIGURES.map((figure) => `earlier.${figure}` as const))
          .whereRef('earlier.vault', '=', 'capitalChange.vault')
          .whereRef('earlier.id', '<', 'capitalChange.id')
          .orderBy('earlier.id', 'desc')
          .limit(1)
          .as('before'),
      (join) => join.onTrue(),
    )
    .select(['capitalChange.id', ...FIGURES.map((figure) => `before.${figure}` as const)])
    .where('capitalChange.id', 'in', [-1n, ...rows.map(({ id }) => id)])
    .execute()
  return new Map(found.map((row) => [row.id, row]))
}

async function readActivities(db: ProjectionDb, rows: readonly CapitalChange[]) {
  const found = await db
    .selectFrom('activity')
    .select('id')
    .where('id', 'in', [-1n, ...rows.map(({ id }) => id)])
    .where('kind', 'in', ['VAULT_DEPOSIT', 'VAULT_WITHDRAWAL'])
    .execute()
  return Map.groupBy(found, ({ id }) => id)
}
