/** GraphiQL as one page that this server sends whole: no script, font or icon of others. */
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'
import type { Config } from '../config.ts'
import { type Example, examples } from './examples.ts'

const json = (value: object) => JSON.stringify(value, null, 2)

const tabs = Object.values(examples).map(({ query, variables, headers }: Example) => ({
  query,
  ...(variables && { variables: json(variables) }),
  ...(headers && { headers: json(headers) }),
}))

/** GraphiQL with a tab for each example, unless it is switched off. */
export function playground({
  playground: isOn,
}: Pick<Config, 'playground'>): Pick<YogaServerOptions<object, object>, 'graphiql' | 'renderGraphiQL'> {
  if (!isOn) return { graphiql: false }
  return {
    // The headers hold a wallet's token: they are not for keeping.
    graphiql: {
      title: 'Claim financing: GraphQL',
      defaultTabs: tabs,
      credentials: 'same-origin',
      shouldPersistHeaders: false,
    },
    renderGraphiQL,
  }
}

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
