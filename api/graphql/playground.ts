/** GraphiQL, all of it from this server: no script, font or icon of others. */
import {
  css,
  editorWorkerService,
  graphqlWorker,
  js,
  jsonWorker,
} from '@graphql-yoga/render-graphiql/graphiql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'
import { type Asset, createAsset } from '../middleware/assets.ts'
import { type Example, examples } from './examples.ts'

/** Under `/api/v1`, so that a proxy which forwards nothing else serves the page too. */
export const PLAYGROUND_ASSETS_PATH = '/api/v1/graphql/assets'

const urlOf = ({ file }: Asset) => `${PLAYGROUND_ASSETS_PATH}/${file}`

const json = (value: object) => JSON.stringify(value, null, 2)

const tabs = Object.values(examples).map(({ query, variables, headers }: Example) => ({
  query,
  ...(variables && { variables: json(variables) }),
  ...(headers && { headers: json(headers) }),
}))

// The headers hold a wallet's token: they are not for keeping.
const OPTIONS = { defaultTabs: tabs, credentials: 'same-origin', shouldPersistHeaders: false }

const style = createAsset('graphiql', 'css', css)
const bundle = createAsset('graphiql', 'js', js)
const workers = {
  editorWorkerService: createAsset('editor-worker', 'js', editorWorkerService),
  json: createAsset('json-worker', 'js', jsonWorker),
  graphql: createAsset('graphql-worker', 'js', graphqlWorker),
}
const workerUrls = Object.fromEntries(Object.entries(workers).map(([label, asset]) => [label, urlOf(asset)]))

/** Runs before the bundle, which then finds its workers, and renders after it. */
const start = createAsset(
  'start',
  'js',
  `const workers = ${JSON.stringify(workerUrls)}
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workers[label] }
addEventListener('DOMContentLoaded', () =>
  YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(OPTIONS)}),
)
`,
)

export const playgroundAssets: readonly Asset[] = [style, bundle, start, ...Object.values(workers)]

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Claim financing: GraphQL</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${urlOf(style)}">
  </head>
  <body id="body" class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="${urlOf(start)}"></script>
    <script src="${urlOf(bundle)}"></script>
  </body>
</html>
`

/** GraphiQL with a tab for each example, unless it is switched off. */
export function playground(
  isOn: boolean,
): Pick<YogaServerOptions<object, object>, 'graphiql' | 'renderGraphiQL'> {
  return { graphiql: isOn, renderGraphiQL: () => PAGE }
}

/** Monaco writes its styles into the page; scripts and workers are files of this server; the browser requests no other host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
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
      response.headers.set('Cache-Control', 'no-cache')
    },
  }
}
