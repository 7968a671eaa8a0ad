import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import { ERRORS_PATH, errorCodes } from '../errors.ts'
import { createAsset, serveDocument } from '../http/assets.ts'
import type { AppEnv } from '../http/env.ts'
import { onNotFound } from '../http/problem.ts'
import type { RouteRules } from '../http/route-rules.ts'
import type { Described } from './described.ts'
import { entryPage, playbook } from './error-pages.ts'
import { serveHome } from './home.ts'
import { PAGE_HEADERS } from './html-page.ts'
import { writeLlms } from './llms.ts'

/** The generated text: to print the schema again takes a fifth of a second. */
const SCHEMA = new URL('../graphql/generated/schema.graphql', import.meta.url)

const PUBLIC: RouteRules = { access: 'public', limit: 'default', hasNoQuery: true }

/** Rules of the pages. The description of the API leaves them out, because they are no part of it. */
export const pageRules: readonly [string, RouteRules][] = [
  ['GET /', { ...PUBLIC, isConditional: true }],
  ['GET /schema.graphql', PUBLIC],
  ['GET /llms.txt', PUBLIC],
  [`GET ${ERRORS_PATH}`, PUBLIC],
  [`GET ${ERRORS_PATH}/:code`, PUBLIC],
]

/** @param describe returns the description of the API, which is complete after all routes are registered */
export function pages(config: Config, describe: () => Described) {
  const schema = createAsset('schema', 'graphql', readFileSync(SCHEMA, 'utf8'))
  const llms = once(() => createAsset('llms', 'txt', writeLlms(describe())))
  return new Hono<AppEnv>()
    .get('/', serveHome(config))
    .get('/schema.graphql', serveDocument(schema))
    .get('/llms.txt', (c) => serveDocument(llms())(c))
    .get(ERRORS_PATH, async (c) => c.html(await playbook(), 200, PAGE_HEADERS))
    .get(`${ERRORS_PATH}/:code`, async (c) => {
      const code = errorCodes.find((known) => known === c.req.param('code'))
      return code ? c.html(await entryPage(code), 200, PAGE_HEADERS) : onNotFound(c)
    })
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
