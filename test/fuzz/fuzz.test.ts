/**
 * Seeded requests, generated from the OpenAPI document and the GraphQL schema, against the gateway as a process over
 * HTTP.
 *
 *     FUZZ_REQUESTS=100000 FUZZ_SEED=7 npx vitest run --project world test/fuzz
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/hostile.ts'
import type { Requestable } from '../support/sign-in.ts'
import { sharedWorld } from '../support/world.ts'
import { checkAnswer, type Rules } from './check-answer.ts'
import { headersOf, type Operation, operationsOf } from './described.ts'
import { type Draw, oneIn, pick } from './draw.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import type { GraphqlSources } from './graphql-document.ts'
import { scalarSamples } from './graphql-input.ts'
import { graphqlRequest } from './graphql-request.ts'
import { asText, type FuzzRequest, withHeader } from './request.ts'
import { restRequest } from './rest-request.ts'
import { collectTexts, signInAll } from './samples.ts'
import type { Sources } from './schema-values.ts'
import { send } from './send.ts'
import { createTally } from './tally.ts'
import { withWireChanges } from './wire-changes.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_700)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_135)
/** Requests under way at the same time. */
const LANES = 4
/** Requests after which wallets sign in again: nonces are good for minutes, and some requests sign out. */
const BATCH = 600

const sdl = join(import.meta.dirname, '../../api/graphql/generated/schema.graphql')
const schema = buildSchema(readFileSync(sdl, 'utf8'))
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)

let gateway: GatewayProcess
let requestable: Requestable
let document: Json
let operations: Operation[]
let texts: string[]
let tally: ReturnType<typeof createTally>
/** The first of each kind: a run goes on, because one defect must not hide the others. */
const failures = new Map<string, string>()
const FAILURES_MAX = 50

beforeAll(async () => {
  gateway = await startGatewayProcess(sharedWorld())
  requestable = { request: (path, init) => fetch(new URL(path, gateway.url), init) }
  document = await (await requestable.request('/api/v1/openapi.json')).json()
  ajv.addSchema(document, 'openapi')
  operations = operationsOf(document)
  texts = await collectTexts(requestable, schema)
  tally = createTally(operations)
})
afterAll(() => gateway?.stop())

type Scene = { tokens: readonly string[]; rest: Sources; graphql: GraphqlSources; rules: Rules }

async function nextScene(): Promise<Scene> {
  const { tokens, byName } = await signInAll(requestable)
  gateway.secrets.push(...tokens)
  return {
    tokens,
    rest: { ajv, document, samples: { values: texts, byName } },
    graphql: { schema, scalars: scalarSamples(texts) },
    rules: {
      ajv,
      operations: new Map(operations.map((one) => [one.name, one])),
      headers: headersOf(document),
      secrets: gateway.secrets,
    },
  }
}

function draw(source: Draw, { rest, graphql, tokens }: Scene): FuzzRequest {
  const described = oneIn(source, 3)
    ? graphqlRequest(source, graphql, oneIn(source, 4) ? 'GET' : 'POST')
    : restRequest(
        source,
        rest,
        pick(
          source,
          operations.filter(({ kind }) => kind === 'rest'),
        ),
      )
  const request = oneIn(source, 4)
    ? described
    : withHeader(described, 'Authorization', `Bearer ${pick(source, tokens)}`)
  return oneIn(source, 4) ? withWireChanges(source, request) : request
}

async function ask(source: Draw, scene: Scene): Promise<void> {
  const request = draw(source, scene)
  try {
    const answer = await send(gateway.url, request)
    if (!answer && !request.mayGoUnanswered) throw new Error('the connection was closed without an answer')
    tally.add(request, answer?.status, answer ? checkAnswer(scene.rules, request, answer) : [])
    const faults = gateway.takeFaults()
    if (faults.length > 0) throw new Error(`the log or the process: ${faults.join('; ')}`)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const kind = `${request.operation}: ${message.replaceAll(/\w*\d[\w.:-]*/g, '#')}`
    if (failures.size < FAILURES_MAX && !failures.has(kind))
      failures.set(kind, `${message.slice(0, 1_500)}\n${asText(request)}`)
  }
}

async function askAll(requests: number, seed: number): Promise<void> {
  const scene = await nextScene()
  const lanes = Array.from({ length: LANES }, (_, lane) => {
    const property = fc.asyncProperty(fc.gen(), (source) => ask(source, scene))
    return fc.assert(property, { numRuns: Math.ceil(requests / LANES), seed: seed + lane })
  })
  await Promise.all(lanes)
}

describe(`${REQUESTS} generated requests of seed ${SEED}`, () => {
  it('get a documented answer without SQL, stack or secret, and leave the gateway running without an error in its log', async () => {
    for (let sent = 0; sent < REQUESTS; sent += BATCH)
      await askAll(Math.min(BATCH, REQUESTS - sent), SEED + sent)
    console.log(`${tally.table()}\n${gateway.logLines()} lines in the log`)
    expect([...failures.values(), ...gateway.takeFaults()]).toEqual([])
    const health = await requestable.request('/api/v1/health')
    expect(health.status).toBe(200)
    expect(gateway.logLines()).toBeGreaterThan(REQUESTS / 2)
  }, 7_200_000)

  it('reach every described operation, with requests that it accepts and with some that it refuses', () => {
    expect(tally.unreached()).toEqual([])
  })
})
