/**
 * An answer as of a block is the answer that the gateway gave when that block was the last. While a random history goes
 * on, every field that can be read so is recorded, and every list in each order, by each condition and each grouping.
 *
 *     SEED=7 AS_OF_ROUNDS=30 npx vitest run --project own test/indexer/as-of.test.ts
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatTime } from '../../api/domain/time.ts'
import { type Answer, createClient } from '../graphql/client.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld, type World } from '../support/protocol.ts'
import { documentsOfFields, documentsOfLists, type Keys, PRESENT_ONLY } from './past-documents.ts'
import { playRandomHistory, playSteps } from './random-world.ts'

const SEED = Number(process.env.SEED ?? 20_261_127)
const ROUNDS = Number(process.env.AS_OF_ROUNDS ?? 1)
const STEPS = 12
/** Answers that must have changed since they were recorded. */
const CHANGED_LEAST = 50

type Recorded = { block: bigint; at: bigint; answers: ReadonlyMap<string, Answer> }

let world: World
let stopWorld: () => Promise<void>
let database: IndexedDatabase
let indexer: Awaited<ReturnType<IndexedDatabase['start']>>
let client: ReturnType<typeof createClient>
const recorded: Recorded[] = []
let documents: readonly string[] = []

async function keysOf(): Promise<Keys> {
  const { data } = await client.ask(
    '{ claims(first: 1) { nodes { claimId beneficiary { address } } } vaults(first: 1) { nodes { address tokenInfo { address } } } issuers(first: 1) { nodes { address } } }',
  )
  const text = JSON.stringify
  const [claim, vault, issuer] = [data.claims.nodes[0], data.vaults.nodes[0], data.issuers.nodes[0]]
  return {
    claimId: text(claim.claimId),
    claimType: '1',
    'account.address': text(claim.beneficiary.address),
    'vault.address': text(vault.address),
    'issuer.address': text(issuer.address),
    'token.address': text(vault.tokenInfo.address),
    token: text(vault.tokenInfo.address),
    vault: text(vault.address),
    period: 'DAY',
    periods: '3',
    from: '"2020-01-01T00:00:00Z"',
    to: '"2100-01-01T00:00:00Z"',
    daysToDue: '30',
  }
}

async function record(): Promise<void> {
  const block = await finalizeAndProject(world, database.pool)
  const { timestamp: at } = await world.chain.getBlock({ blockNumber: block })
  const answers = new Map<string, Answer>()
  for (const document of documents) {
    const answer = await client.ask(document)
    expect([document, answer.errors]).toEqual([document, undefined])
    answers.set(document, answer)
  }
  recorded.push({ block, at, answers })
}

const refused: string[] = []
beforeAll(async () => {
  const started = await startWorld()
  stopWorld = started.stop
  world = started
  database = await createIndexedDatabase(world)
  const scene = await playRandomHistory(world, SEED, 0)
  indexer = await database.start()
  await indexer.ready()
  const block = await finalizeAndProject(world, database.pool)
  client = createClient(database.url, 3, world.rpcUrl)
  const known: string[] = []
  const keys = await keysOf()
  for (const { name, document } of documentsOfFields(keys)) {
    const { errors } = await client.ask(document, { asOf: { block: Number(block) } })
    const code = errors?.[0].extensions.code
    if (code === 'NOT_IN_PAST') refused.push(name)
    else expect([document, errors]).toEqual([document, undefined])
    if (!errors) known.push(document)
  }
  documents = [...known, ...(await documentsOfLists(client.ask, keys))]
  for (let round = 0; round < ROUNDS; round += 1) {
    await record()
    await playSteps(scene, SEED + round, STEPS)
  }
  await finalizeAndProject(world, database.pool)
})
afterAll(async () => {
  await client?.stop()
  await database?.remove()
  await stopWorld?.()
})

describe(`answers of a random history (seed ${SEED})`, () => {
  it('are, as of their block and as of their time, what they were', async () => {
    let changed = 0
    for (const { block, at, answers } of recorded) {
      for (const [place, [document, answer]] of [...answers].entries()) {
        const byBlock = await client.ask(document, { asOf: { block: Number(block) } })
        expect([document, byBlock]).toEqual([document, answer])
        // Blocks of this chain can have equal times. The last of them counts, which has another number.
        if (place % 5 === 0 && !document.includes('_meta')) {
          const byTime = await client.ask(document, { asOf: { time: formatTime(at) } })
          expect([document, byTime.data]).toEqual([document, answer.data])
        }
        if (changed === CHANGED_LEAST) continue
        const now = await client.ask(document)
        if (JSON.stringify(now.data) !== JSON.stringify(answer.data)) changed += 1
      }
    }
    console.log(`${documents.length} documents at ${recorded.length} blocks`)
    expect(changed).toBe(CHANGED_LEAST)
  })

  it('are refused as of a block that is final, and that the projection does not have yet', async () => {
    await indexer.stop()
    await world.chain.mine({ blocks: 10 })
    const { number } = await world.chain.getBlock({ blockTag: 'finalized' })
    const { errors } = await client.ask(`{ claims(first: 1, asOf: { block: ${number} }) { totalCount } }`)
    expect(errors?.[0]).toMatchObject({ path: ['claims'], extensions: { code: 'AS_OF_NOT_FINAL' } })
  })

  it('have no past for these fields alone', () => {
    expect([...new Set(refused)].toSorted()).toEqual(PRESENT_ONLY)
  })
})
