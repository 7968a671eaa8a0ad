import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import { ERRORS_PATH, errorCodes } from '../errors.ts'
import { createAsset, serveDocument } from '../http/assets.ts'
import type { AppEnv } from '../http/env.ts'
import { onNotFound } from '../http/problem.ts'
import type { Described } from './described.ts'
import { entryPage, playbook } from './error-pages.ts'
import { serveHome } from './home.ts'
import { PAGE_HEADERS } from './html-page.ts'
import { writeLlms } from './llms.ts'
import { getHome, getLlms, getSchema, listErrors } from './pages.routes.ts'

/** The generated text: to print the schema again takes a fifth of a second. */
const SCHEMA = new URL('../graphql/generated/schema.graphql', import.meta.url)

/** @param describe returns the description of the API, which is complete after all routes are registered */
export function pages(config: Config, describe: () => Described) {
  const schema = createAsset('schema', 'graphql', readFileSync(SCHEMA, 'utf8'))
  const llms = once(() => createAsset('llms', 'txt', writeLlms(describe())))
  return new Hono<AppEnv>()
    .get(getHome.path, serveHome(config))
    .get(getSchema.path, serveDocument(schema))
    .get(getLlms.path, (c) => serveDocument(llms())(c))
    .get(listErrors.path, async (c) => c.html(await playbook(), 200, PAGE_HEADERS))
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
