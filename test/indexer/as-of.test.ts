/**
 * An answer as of a block is the answer that the gateway gave when that block was the last. While a random history goes
 * on, every field without required arguments that can be read so is recorded.
 *
 *     SEED=7 AS_OF_ROUNDS=30 npx vitest run --project own test/indexer/as-of.test.ts
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatTime } from '../../api/domain/time.ts'
import { schema } from '../../api/graphql/schema.ts'
import { type Answer, createClient } from '../graphql/client.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld, type World } from '../support/protocol.ts'
import { playRandomHistory, playSteps } from './random-world.ts'

const SEED = Number(process.env.SEED ?? 20_261_127)
const ROUNDS = Number(process.env.AS_OF_ROUNDS ?? 1)
const STEPS = 12

type Field = GraphQLField<unknown, unknown>
type Recorded = { block: bigint; at: bigint; answers: ReadonlyMap<string, Answer> }

/** Fields that have no past. Reads as of a block refuse them. */
const PRESENT_ONLY: readonly string[] = [
  'Account.unfinalized',
  'Claim.unfinalized',
  'Meta.audit',
  'Meta.finalitySeconds',
  'Meta.finalizedHash',
  'Meta.latestBlock',
  'Vault.pendingTerms',
  'Vault.unfinalized',
]

let world: World
let stopWorld: () => Promise<void>
let database: IndexedDatabase
let indexer: Awaited<ReturnType<IndexedDatabase['start']>>
let client: ReturnType<typeof createClient>
const recorded: Recorded[] = []
let documents: readonly string[] = []

const query = schema.getQueryType()
const roots = Object.values(query?.getFields() ?? {}).filter(({ args }) =>
  args.some(({ name }) => name === 'asOf'),
)

/** Arguments without which a field cannot be read, and the size of its page. */
function argumentsOf(field: Field, isRoot: boolean, keys: Keys, first: number): string | undefined {
  const given = field.args.flatMap(({ name, type, defaultValue }) => {
    if (isRoot && name === 'asOf') return ['asOf: $asOf']
    if (name === 'first') return [`first: ${first}`]
    if (!isNonNullType(type) || defaultValue !== undefined) return []
    const key = keys[`${field.name}.${name}`] ?? keys[name]
    return [key === undefined ? undefined : `${name}: ${key}`]
  })
  if (given.includes(undefined)) return undefined
  return given.length > 0 ? `(${given.join(', ')})` : ''
}

type Keys = { readonly [argument: string]: string }

/** The object that a field leads to: for a connection, that of its rows. */
function objectOf({ type }: Field): GraphQLObjectType | undefined {
  const named = getNamedType(type)
  if (!isObjectType(named)) return undefined
  const nodes = named.getFields().nodes
  return nodes ? objectOf(nodes) : named
}

function select(field: Field, args: string, selection: string): string {
  const named = getNamedType(field.type)
  if (!isObjectType(named)) return `${field.name}${args}`
  const rows = named.getFields().nodes ? `totalCount nodes { ${selection} }` : selection
  return `${field.name}${args} { ${rows} }`
}

/** Documents of one field of the query each, which select one field of its object, and that field's own values. */
function* candidates(keys: Keys): Generator<{ name: string; document: string }> {
  for (const root of roots) {
    const type = objectOf(root)
    if (!type) throw new Error(`${root.name} has no object`)
    for (const field of Object.values(type.getFields())) {
      const own = argumentsOf(field, false, keys, 4)
      const inner = objectOf(field)
      const args = argumentsOf(root, true, keys, inner ? 6 : 60)
      if (own === undefined || args === undefined) continue
      const values = inner
        ? leavesOf(inner).filter((leaf) => !PRESENT_ONLY.includes(`${inner.name}.${leaf}`))
        : []
      if (inner && values.length === 0) continue
      const selection = select(field, own, values.join(' '))
      yield {
        name: `${type.name}.${field.name}`,
        document: `query ($asOf: AsOf) { ${select(root, args, selection)} }`,
      }
    }
  }
}

function leavesOf(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap((field) =>
    isLeafType(getNamedType(field.type)) && field.args.every(({ type }) => !isNonNullType(type))
      ? [field.name]
      : [],
  )
}

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
  for (const { name, document } of candidates(await keysOf())) {
    const { errors } = await client.ask(document, { asOf: { block: Number(block) } })
    const code = errors?.[0].extensions.code
    if (code === 'NOT_IN_PAST') refused.push(name)
    else expect([document, errors]).toEqual([document, undefined])
    if (!errors) known.push(document)
  }
  documents = known
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
        const now = await client.ask(document)
        if (JSON.stringify(now.data) !== JSON.stringify(answer.data)) changed += 1
      }
    }
    console.log(
      `${documents.length} documents at ${recorded.length} blocks, ${changed} of them changed since`,
    )
    expect(changed).toBeGreaterThan(50)
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
