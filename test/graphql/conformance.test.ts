/** GraphQL over HTTP: the audits of the specification's own suite, through the mounted endpoint. */
import { serverAudits } from 'graphql-http'
import { afterAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { app, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const audits = serverAudits({
  url: `http://localhost${GRAPHQL_PATH}`,
  fetchFn: (url: string, init?: RequestInit) => app.request(url, init),
})

describe('GraphQL over HTTP', () => {
  it('has audits to pass', () => expect(audits.length).toBeGreaterThan(50))
  for (const audit of audits) {
    it(`${audit.id}: ${audit.name}`, async () => {
      const result = await audit.fn()
      expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok')
    })
  }
})
