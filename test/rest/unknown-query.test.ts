import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createGateway } from '../support/gateway.ts'
import { bearer, readJson, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'ab'.repeat(20)}`
/** They are no REST: GraphQL has parameters of its own, and the description is a file. */
const OTHERS = ['/api/v1/graphql', '/api/v1/graphql/assets/:file', '/api/v1/openapi.json']

it('every route refuses a parameter of the query that it does not have, and names it', async () => {
  const store = await createTestStore()
  const app = createGateway(store)
  const token = await signIn(app, privateKeyToAccount(generatePrivateKey()))
  const routes = app.routes.filter(({ path }) => path.startsWith('/api/v1/') && !OTHERS.includes(path))
  const all = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  expect(all.size).toBeGreaterThan(30)
  for (const { method, path } of all.values()) {
    const url = path.replaceAll(/:wallet/g, ADDRESS).replaceAll(/:\w+/g, HASH)
    const response = await app.request(`${url}?limt=3`, {
      method,
      headers: { ...bearer(token).headers, 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    })
    expect([path, response.status]).toEqual([path, 400])
    const { errors } = await readJson(response)
    // One export lacks a parameter that it requires, too.
    expect(errors, path).toContainEqual({ path: 'limt', message: 'is unknown; remove it' })
  }
  await store.stop()
})
