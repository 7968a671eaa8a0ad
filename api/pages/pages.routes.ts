/** Pages and texts for people and tools. The description of the API leaves them out: they are no part of it. */
import { z } from '@hono/zod-openapi'
import { ERRORS_PATH } from '../errors.ts'
import type { RouteRules } from '../http/route-rules.ts'
import { defineRoute } from '../rest/shared/define-route.ts'

const PUBLIC: RouteRules = { access: 'public', limit: 'default' }

/** An answer as text of one media type. */
const ok = (description: string, mediaType: string) => ({
  200: { description, content: { [mediaType]: { schema: z.string() } } },
})

export const getHome = defineRoute(
  { ...PUBLIC, isConditional: true },
  {
    method: 'get',
    path: '/',
    hide: true,
    summary: 'What this gateway is, where its parts are, and the block that it serves',
    responses: ok('The page.', 'text/html'),
  },
)

export const getSchema = defineRoute(PUBLIC, {
  method: 'get',
  path: '/schema.graphql',
  hide: true,
  summary: 'The GraphQL schema',
  responses: ok('The schema in the schema definition language.', 'text/plain'),
})

export const getLlms = defineRoute(PUBLIC, {
  method: 'get',
  path: '/llms.txt',
  hide: true,
  summary: 'The API in one text, for language models',
  responses: ok('The text, in Markdown.', 'text/plain'),
})

export const listErrors = defineRoute(PUBLIC, {
  method: 'get',
  path: ERRORS_PATH,
  hide: true,
  summary: 'The error playbook',
  responses: ok('The page.', 'text/html'),
})

export const getError = defineRoute(PUBLIC, {
  method: 'get',
  path: `${ERRORS_PATH}/{code}`,
  hide: true,
  summary: 'One error: its cause, what to do, and whether to retry',
  responses: ok('The page.', 'text/html'),
})

export const pageRoutes = [getHome, getSchema, getLlms, listErrors, getError]
