/** Pages of lists against the rows of the table. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { createClient } from '../graphql/client.ts'
import { sharedWorld } from '../support/world.ts'

const { ask, stop, pool } = createClient(sharedWorld().databaseUrl)
const db = createProjectionDb(pool)
afterAll(stop)

const orders = { registeredAt: 'registeredAt', dueDate: 'dueAt', faceValue: 'faceValue' } as const
type Order = keyof typeof orders
const directions = ['asc', 'desc'] as const

type Filter = Record<string, unknown>

const PAGE = `query ($first: Int, $last: Int, $after: String, $before: String, $filter: ClaimFilter, $by: ClaimOrderBy!, $to: OrderDirection!) {
  claims(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $by, orderDirection: $to) {
    nodes { claimId } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`

async function readPage(variables: Record<string, unknown>) {
  const { data, errors } = await ask(PAGE, { by: 'dueDate', to: 'asc', ...variables })
  expect(errors).toBeUndefined()
  const { nodes, pageInfo, totalCount } = data.claims
  return { ids: nodes.map(({ claimId }: { claimId: string }) => claimId), totalCount, ...pageInfo }
}

/** All ids of a list, read page by page from one end or the other. */
async function walk(by: Order, to: string, fromEnd: boolean, filter?: Filter): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  for (;;) {
    const place = fromEnd ? { last: 7, before: cursor } : { first: 7, after: cursor }
    const page = await readPage({ ...place, by, to, filter })
    if (fromEnd) ids.unshift(...page.ids)
    else ids.push(...page.ids)
    if (!(fromEnd ? page.hasPreviousPage : page.hasNextPage)) return ids
    cursor = fromEnd ? page.startCursor : page.endCursor
  }
}

describe('pages', () => {
  let all: Awaited<ReturnType<typeof readAll>>
  const readAll = () => db.selectFrom('claim').selectAll().execute()
  beforeAll(async () => {
    all = await readAll()
  })

  for (const by of ['registeredAt', 'dueDate', 'faceValue'] as const) {
    for (const to of directions) {
      it(`hold every claim once, by ${by} ${to}, from either end`, async () => {
        const forwards = await walk(by, to, false)
        expect([...forwards].sort()).toEqual(all.map(({ id }) => id).sort())
        expect(await walk(by, to, true)).toEqual(forwards)
        const values = forwards.map((id) => all.find((claim) => claim.id === id)?.[orders[by]] ?? 0n)
        const ordered = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        expect(values).toEqual(to === 'asc' ? ordered : ordered.reverse())
      })

      it(`hold the claims of several states in one order, by ${by} ${to}, from either end`, async () => {
        const states: readonly string[] = ['SETTLED', 'ELIGIBLE']
        const ids = new Set<string>(all.filter(({ state }) => states.includes(state)).map(({ id }) => id))
        const expected = (await walk(by, to, false)).filter((id) => ids.has(id))
        const some = { state_in: ['SETTLED', 'ELIGIBLE', 'SETTLED'] }
        expect(await walk(by, to, false, some)).toEqual(expected)
        expect(await walk(by, to, true, some)).toEqual(expected)
        expect(await walk(by, to, false, { state_in: [] })).toEqual([])
      })
    }
  }

  it('hold only what the filter leaves, and count it', async () => {
    const filter = {
      state_in: ['ELIGIBLE', 'SETTLED'],
      OR: [{ claimType: 1 }, { faceValue_gt: String(10n ** 18n) }],
    }
    const page = await readPage({ first: 200, filter })
    const kept = all.filter(
      ({ state, claimType, faceValue }) =>
        (state === 'ELIGIBLE' || state === 'SETTLED') && (claimType === 1 || faceValue > 10n ** 18n),
    )
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(all.length)
    expect(page.ids.sort()).toEqual(kept.map((claim) => claim.id).sort())
    expect(page.totalCount).toBe(kept.length)
  })

  it('of nothing are empty, and an empty OR leaves nothing', async () => {
    for (const filter of [{ OR: [] }, { claimId_in: [] }]) {
      const page = await readPage({ first: 5, filter })
      expect(page).toMatchObject({ ids: [], totalCount: 0, endCursor: null, hasNextPage: false })
    }
  })

  it('of many parents are those of each parent alone', async () => {
    const LIST = 'nodes { claim { claimId } sliceIndex } totalCount pageInfo { hasNextPage hasPreviousPage }'
    for (const place of ['first: 2', 'last: 2']) {
      for (const to of directions) {
        const list = `allocations(${place}, orderDirection: ${to}) { ${LIST} }`
        const together = await ask(`{ vaults(first: 20) { nodes { address ${list} } } }`)
        expect(together.data.vaults.nodes.length).toBeGreaterThan(1)
        for (const { address, allocations } of together.data.vaults.nodes) {
          const alone = await ask(`{ vault(address: "${address}") { ${list} } }`)
          expect(allocations).toEqual(alone.data.vault.allocations)
        }
      }
    }
  })

  it('start only at cursors of their own order', async () => {
    const { endCursor } = await readPage({ first: 1 })
    const { errors } = await ask(PAGE, { first: 1, after: endCursor, by: 'faceValue', to: 'asc' })
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }])
  })
})
