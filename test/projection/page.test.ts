import { afterAll, describe, expect, it } from 'vitest'
import { allocations } from '../../api/projection/allocation.ts'
import { claims, listClaims } from '../../api/projection/claim.ts'
import { countRows, countRowsOf } from '../../api/projection/count.ts'
import { createPool, createProjectionDb } from '../../api/projection/database.ts'
import type { Filter } from '../../api/projection/filter.ts'
import { type Direction, readPage, readPagesOf } from '../../api/projection/page.ts'
import { readSnapshot, type Snapshot } from '../../api/projection/snapshot.ts'
import { sharedWorld } from '../support/world.ts'

const pool = createPool(sharedWorld().databaseUrl, 2)
const db = createProjectionDb(pool)
afterAll(() => pool.end())

const orders = ['registeredAt', 'dueAt', 'faceValue'] as const
const directions = ['asc', 'desc'] as const

/** All ids of a list, read page by page from one end or the other. */
async function walk(
  snapshot: Snapshot,
  orderBy: (typeof orders)[number],
  direction: Direction,
  fromEnd: boolean,
  filter?: Filter<keyof typeof claims.columns>,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  for (;;) {
    const place = fromEnd ? { before: cursor } : { after: cursor }
    const page = await listClaims(snapshot, { limit: 7, fromEnd, ...place, orderBy, direction, filter })
    const own = page.items.map((claim) => claim.id)
    if (fromEnd) ids.unshift(...own)
    else ids.push(...own)
    const edge = fromEnd ? page.items.at(0) : page.items.at(-1)
    if (!edge || !(fromEnd ? page.hasPrevious : page.hasNext)) return ids
    cursor = page.cursorOf(edge)
  }
}

describe('pages', () => {
  for (const orderBy of orders) {
    for (const direction of directions) {
      it(`hold every claim once, by ${orderBy} ${direction}, from either end`, async () => {
        const expected = await db.selectFrom('claim').selectAll().execute()
        await readSnapshot(db, async (snapshot) => {
          const forwards = await walk(snapshot, orderBy, direction, false)
          expect([...forwards].sort()).toEqual(expected.map((claim) => claim.id).sort())
          expect(await walk(snapshot, orderBy, direction, true)).toEqual(forwards)
          const values = forwards.map((id) => expected.find((claim) => claim.id === id)?.[orderBy] ?? 0n)
          const ordered = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
          expect(values).toEqual(direction === 'asc' ? ordered : ordered.reverse())
        })
      })

      it(`hold the claims of several states in one order, by ${orderBy} ${direction}, from either end`, async () => {
        const among = (values: string[]) => ({ and: [{ column: 'state', is: 'in', values } as const] })
        const rows = await db
          .selectFrom('claim')
          .select('id')
          .where('state', 'in', ['SETTLED', 'ELIGIBLE'])
          .execute()
        const ids = new Set<string>(rows.map(({ id }) => id))
        await readSnapshot(db, async (snapshot) => {
          const all = await walk(snapshot, orderBy, direction, false)
          const some = among(['SETTLED', 'ELIGIBLE', 'SETTLED', 'NONE'])
          expect(await walk(snapshot, orderBy, direction, false, some)).toEqual(
            all.filter((id) => ids.has(id)),
          )
          expect(await walk(snapshot, orderBy, direction, true, some)).toEqual(
            all.filter((id) => ids.has(id)),
          )
          expect(await walk(snapshot, orderBy, direction, false, among([]))).toEqual([])
        })
      })
    }
  }

  it('hold only what the filter leaves, and count it', async () => {
    await readSnapshot(db, async (snapshot) => {
      const filter = {
        and: [
          { column: 'state', is: 'in', values: ['ELIGIBLE', 'SETTLED'] },
          {
            or: [
              { column: 'claimType', is: 'eq', value: 1 },
              { column: 'faceValue', is: 'gt', value: 10n ** 18n },
            ],
          },
        ],
      } as const
      const page = await listClaims(snapshot, { limit: 200, filter, orderBy: 'dueAt', direction: 'asc' })
      const all = await db.selectFrom('claim').selectAll().execute()
      const kept = all.filter(
        ({ state, claimType, faceValue }) =>
          (state === 'ELIGIBLE' || state === 'SETTLED') && (claimType === 1 || faceValue > 10n ** 18n),
      )
      expect(kept.length).toBeGreaterThan(0)
      expect(kept.length).toBeLessThan(all.length)
      expect(page.items.map((claim) => claim.id).sort()).toEqual(kept.map((claim) => claim.id).sort())
      expect(await countRows(snapshot, claims, filter)).toBe(kept.length)
    })
  })

  it('of nothing are empty, and an empty OR leaves nothing', async () => {
    await readSnapshot(db, async (snapshot) => {
      for (const filter of [{ or: [] }, { column: 'id', is: 'in', values: [] }] as const) {
        const page = await listClaims(snapshot, { limit: 5, filter, orderBy: 'dueAt', direction: 'asc' })
        expect(page).toMatchObject({ items: [], nextCursor: null, hasNext: false, hasPrevious: false })
      }
    })
  })

  it('of many parents in one statement are those of each parent alone', async () => {
    await readSnapshot(db, async (snapshot) => {
      const parents = [...sharedWorld().vaults, `0x${'00'.repeat(20)}`]
      for (const fromEnd of [false, true]) {
        for (const direction of directions) {
          const request = { limit: 2, fromEnd, orderBy: 'fundedAt', direction } as const
          const together = await readPagesOf(snapshot, allocations, 'vault', parents, request)
          const apart = await Promise.all(
            parents.map((vault) =>
              readPage(snapshot, allocations, {
                ...request,
                filter: { column: 'vault', is: 'eq', value: vault },
              }),
            ),
          )
          expect(
            together.map(({ items, hasNext, hasPrevious }) => ({ items, hasNext, hasPrevious })),
          ).toEqual(apart.map(({ items, hasNext, hasPrevious }) => ({ items, hasNext, hasPrevious })))
        }
      }
      const counts = await countRowsOf(snapshot, allocations, 'vault', parents, undefined)
      expect(counts.at(-1)).toBe(0)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
        await countRows(snapshot, allocations, undefined),
      )
    })
  })

  it('start only at cursors of their own order', async () => {
    await readSnapshot(db, async (snapshot) => {
      const page = await listClaims(snapshot, { limit: 1, orderBy: 'dueAt', direction: 'asc' })
      const after = page.nextCursor ?? ''
      const foreign = listClaims(snapshot, { limit: 1, after, orderBy: 'faceValue', direction: 'asc' })
      await expect(foreign).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    })
  })
})
