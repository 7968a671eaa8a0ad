/** GraphiQL as one page that this server sends whole: no script, font or icon of others. */
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'
import { type Example, examples } from './examples.ts'

const tabs = Object.values(examples).map((example: Example) => ({
  query: example.query,
  ...(example.variables && { variables: JSON.stringify(example.variables, null, 2) }),
}))

export const playground = {
  graphiql: { title: 'Claim financing: GraphQL', defaultTabs: tabs, credentials: 'same-origin' },
  renderGraphiQL,
} as const satisfies Pick<YogaServerOptions<object, object>, 'graphiql' | 'renderGraphiQL'>

/** GraphiQL is inline in its page and starts its workers from blobs; the browser is to ask nobody but us. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  'worker-src blob: data:',
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function usePlaygroundPolicy(): Plugin {
  return {
    onResponse({ response }) {
      if (!response.headers.get('content-type')?.startsWith('text/html')) return
      response.headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    },
  }
}
