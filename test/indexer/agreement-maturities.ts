/** Outstanding face by due date over a history, against the allocations that the logs of the contracts make. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { iso } from '../graphql/calendar.ts'
import type { Answer } from '../graphql/client.ts'
import { ladderOf } from '../graphql/oracle/maturities.ts'
import { assertProperty } from '../support/property.ts'
import { sum } from '../support/sum.ts'
import { ascending, nowOf } from './agreement-series.ts'
import { ask, DAY, edgesOf, type Indexed, sliceOf } from './indexed.ts'
import type { Truth } from './truth/tables.ts'

const ROWS = 'kind start outstandingFace outstandingAdvance outstandingDiscount allocations'

/** @param indexed what is there once the tests run */
export function describeMaturities(seed: number, indexed: () => Indexed): void {
  /** @param query with the ladder, and what its rows add up to @param read both from the answer */
  async function compare(
    query: (ladder: string) => string,
    read: (data: Answer['data']) => { maturities: Answer['data'][]; outstandingFace: string | undefined },
    own: Truth['allocation'],
    token: string | undefined,
  ) {
    const now = await nowOf(indexed())
    const slices = own.map(sliceOf)
    // ISO 8601 has no later time than the year 9999.
    const due = indexed().truth.claim.flatMap(({ due_at }) => (due_at < now + 10_000n * DAY ? [due_at] : []))
    const edges = edgesOf([...due, now]).toSorted(ascending)
    const requests = fc.record({
      period: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      periods: fc.integer({ min: 1, max: 60 }),
      from: fc.option(fc.constantFrom(...edges, now + 40n * DAY), { nil: undefined }),
    })
    await assertProperty(
      fc.asyncProperty(requests, async ({ period, periods, from }) => {
        const args = [
          `period: ${period}, periods: ${periods}`,
          ...(from === undefined ? [] : [`from: "${iso(from)}"`]),
          ...(token === undefined ? [] : [`token: "${token}"`]),
        ]
        const { maturities, outstandingFace } = read(
          await ask(indexed(), query(`aturities(${args.join(', ')}) { ${ROWS} }`)),
        )
        const expected = ladderOf(slices, { period, periods, from }, now)
        expect(maturities).toEqual(expected.map(asAnswered))
        if (outstandingFace === undefined) return
        const total = sum(maturities.map((row) => BigInt(row.outstandingFace)))
        expect(String(total)).toBe(outstandingFace)
      }),
      { numRuns: 8, seed },
    )
  }

  it('of a vault are its allocations by due date, and add up to its outstanding face', async () => {
    const { truth } = indexed()
    for (const { address } of truth.vault) {
      await compare(
        (ladder) => `{ vault(address: "${address}") { m${ladder} capital { outstandingFace } } }`,
        ({ vault: { maturities, capital } }) => ({ maturities, outstandingFace: capital.outstandingFace }),
        truth.allocation.filter(({ vault }) => vault === address),
        undefined,
      )
    }
  })

  it('of the market and of an issuer in a token add up to their outstanding face', async () => {
    const { world, truth } = indexed()
    for (const token of [world.usd, world.eur]) {
      const ofToken = truth.allocation.filter((part) => part.token === token)
      const exposure = `xposure(token: "${token}") { outstandingFace }`
      await compare(
        (ladder) => `{ marketM${ladder} marketE${exposure} }`,
        ({ marketMaturities, marketExposure }) => ({ maturities: marketMaturities, ...marketExposure }),
        ofToken,
        token,
      )
      for (const { address } of truth.issuer) {
        await compare(
          (ladder) => `{ issuer(address: "${address}") { m${ladder} e${exposure} } }`,
          ({ issuer: { maturities, exposure } }) => ({ maturities, ...exposure }),
          ofToken.filter((part) => part.issuer === address),
          token,
        )
      }
    }
  })

  it('of an account are those of its claims', async () => {
    const { world, truth } = indexed()
    const beneficiaries = new Map(truth.claim.map(({ id, beneficiary }) => [id, beneficiary]))
    for (const address of new Set(beneficiaries.values())) {
      await compare(
        (ladder) => `{ account(address: "${address}") { m${ladder} } }`,
        ({ account: { maturities } }) => ({ maturities, outstandingFace: undefined }),
        truth.allocation.filter(
          (part) => part.token === world.usd && beneficiaries.get(part.claim_id) === address,
        ),
        world.usd,
      )
    }
  })
}

function asAnswered(row: ReturnType<typeof ladderOf>[number]) {
  return {
    kind: row.kind,
    start: row.start === null ? null : iso(row.start),
    outstandingFace: String(row.face),
    outstandingAdvance: String(row.advance),
    outstandingDiscount: String(row.discount),
    allocations: Number(row.allocations),
  }
}
