/** Documents that the operator registers, and gateways that prefer them or answer no others. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { OPERATION_POINTS, pointsOfRequest } from '../../api/graphql/operation/measure/measure.ts'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { startReadGateway } from '../rest/gateway.ts'
import { signIn } from '../support/sign-in.ts'

const idOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

const NAMES = 'query Names($first: Int!) { vaults(first: $first) { nodes { name } } }'
/** Its answer is constant, so it costs what is known before. */
const CONSTANT = 'query Constant($name: String!) { __type(name: $name) { name } }'
const BLOCKS = 'subscription Blocks { finalizedBlock { blockNumber } }'
const UNKNOWN = idOf('{ __typename }')

let folder: string
const write = (name: string, texts: readonly string[]) => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(Object.fromEntries(texts.map((text) => [idOf(text).slice(7), text]))))
  return file
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function start(DOCUMENTS: string) {
  const gateway = await startReadGateway({
    DOCUMENTS,
    DOCUMENTS_FILE: write('documents.json', [NAMES, CONSTANT, BLOCKS]),
  })
  onTestFinished(() => gateway.stop())
  const post = (body: object, headers: Record<string, string> = {}) =>
    gateway.app.request(GRAPHQL_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const codeOf = async (response: Response) => {
    const { errors } = await response.json()
    return errors?.[0]?.extensions
  }
  return { gateway, post, codeOf }
}

describe('a registered document', () => {
  it('is answered by its id as by its text, by POST, GET and as a subscription', async () => {
    const { gateway, post } = await start('any')
    const variables = { first: 2 }
    const { data } = await (await post({ query: NAMES, variables })).json()
    expect(data.vaults.nodes).toHaveLength(2)
    const byId = await post({ documentId: idOf(NAMES), operationName: 'Names', variables })
    expect((await byId.json()).data).toEqual(data)
    const withNull = await post({ documentId: idOf(NAMES), query: null, variables })
    expect((await withNull.json()).data).toEqual(data)
    const search = new URLSearchParams({ documentId: idOf(NAMES), variables: JSON.stringify(variables) })
    expect((await (await gateway.app.request(`${GRAPHQL_PATH}?${search}`)).json()).data).toEqual(data)
    const events = await post({ documentId: idOf(BLOCKS) }, { Accept: 'text/event-stream' })
    expect(events.status).toBe(200)
    await events.body?.cancel()
  })

  it('that is unknown is refused, and so is one beside a text', async () => {
    const { post, codeOf } = await start('any')
    const unknown = await post({ documentId: UNKNOWN })
    expect([unknown.status, await codeOf(unknown)]).toMatchObject([400, { code: 'DOCUMENT_NOT_REGISTERED' }])
    const both = await post({ documentId: idOf(NAMES), query: NAMES })
    expect(await codeOf(both)).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'documentId' }] })
    const number = await post({ documentId: 1 })
    expect(await codeOf(number)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'documentId' }],
    })
  })

  it('that does not fit the schema stops the start', async () => {
    const DOCUMENTS_FILE = write('unfit.json', ['{ nothing }'])
    await expect(startReadGateway({ DOCUMENTS_FILE })).rejects.toThrow(
      `the registered document ${idOf('{ nothing }')} does not fit the schema: Cannot query field "nothing"`,
    )
  })
})

describe('a gateway of registered documents only', () => {
  it('refuses all others, with a token too, and answers REST', async () => {
    const { gateway, post, codeOf } = await start('only')
    const token = await signIn(gateway.app, privateKeyToAccount(generatePrivateKey()))
    for (const headers of [{}, { Authorization: `Bearer ${token}` }])
      for (const query of [NAMES, '{ __schema { queryType { name } } }'])
        expect(await codeOf(await post({ query, variables: { first: 2 } }, headers))).toMatchObject({
          code: 'DOCUMENT_NOT_REGISTERED',
        })
    expect((await post({ documentId: idOf(NAMES), variables: { first: 2 } })).status).toBe(200)
    expect((await gateway.get('/vaults')).status).toBe(200)
  })
})

describe('a gateway that prefers registered documents', () => {
  it('counts others four times, but not those of callers with a token', async () => {
    const { gateway, post } = await start('prefer')
    const token = await signIn(gateway.app, privateKeyToAccount(generatePrivateKey()))
    let asked = 0
    const spent = async (document: object, headers: Record<string, string> = {}) => {
      // Kept answers cost nothing: each asks for another type.
      asked += 1
      const body = { ...document, variables: { name: `T${asked}` } }
      const response = await post(body, headers)
      const { extensions } = await response.json()
      return {
        left: Number(/"cost";r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]),
        points: OPERATION_POINTS + extensions.cost.cost,
        bytes: pointsOfRequest(JSON.stringify(body)),
      }
    }
    const before = await spent({ documentId: idOf(CONSTANT) })
    const registered = await spent({ documentId: idOf(CONSTANT) })
    expect(before.left - registered.left).toBe(registered.bytes + registered.points)
    const other = await spent({ query: `${CONSTANT} # other` })
    expect(registered.left - other.left).toBe(other.bytes + 4 * other.points)
    const headers = { Authorization: `Bearer ${token}` }
    const signedIn = await spent({ query: `${CONSTANT} # signed in` }, headers)
    const again = await spent({ query: `${CONSTANT} # again` }, headers)
    expect(signedIn.left - again.left).toBe(again.bytes + again.points)
  })
})
