/** GraphiQL, all of it from this server: no script, font or icon of others. */
import { createRequire } from 'node:module'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { DemoWallets } from '../../config/config.ts'
import { type Asset, createAsset } from '../../http/assets.ts'
import { pagePolicy } from '../../http/security-headers.ts'
import { DEMO_STYLE, demoAttributes, demoScript } from './demo-wallets.ts'
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
const OPTIONS = {
  title: 'Claim financing',
  defaultTabs: tabs,
  credentials: 'same-origin',
  shouldPersistHeaders: false,
}

/** The title stays on one line, and the tabs take as many lines as they need: all of them are in view at any width. */
const STYLE = `
.graphiql-container .graphiql-session-header { height: auto; align-items: flex-start }
.graphiql-container .graphiql-session { min-height: 0 }
.graphiql-container .graphiql-logo { white-space: nowrap }
.graphiql-tabs { flex-wrap: wrap; gap: var(--px-4) }
.graphiql-tabs > :not(:first-child) { margin-left: 0 }
`

const { css, js } = readGraphiql()
const style = createAsset('graphiql', 'css', css + STYLE + DEMO_STYLE)
const bundle = createAsset('graphiql', 'js', js)

/**
 * Runs before the bundle and renders after it. Editors wrap long lines, so that comments fit at any width. Without a
 * query in the address, the tabs of the last visit are shown: the bundle would open its own introduction. With a query
 * in the address, the tab that has it is shown; the bundle finds it by its variables, too, which it takes from an
 * option. When a subscription is stopped, the bundle aborts its request without handling the rejection. The history
 * has no headers, because they contain the token.
 */
const start = createAsset(
  'start',
  'js',
  `const wrapLines = () => {
  for (const { CodeMirror } of document.querySelectorAll('.CodeMirror'))
    if (!CodeMirror.getOption('lineWrapping')) CodeMirror.setOption('lineWrapping', true)
}
addEventListener('unhandledrejection', (event) => {
  if (event.reason?.name === 'AbortError') event.preventDefault()
})
const isHistory = (name) => name === 'graphiql:queries' || name === 'graphiql:favorites'
const withoutHeaders = (text) => JSON.stringify(JSON.parse(text), (key, value) => (key === 'headers' ? undefined : value))
const storage = {
  get length() {
    return localStorage.length
  },
  getItem: (name) => localStorage.getItem(name),
  setItem: (name, text) => localStorage.setItem(name, isHistory(name) ? withoutHeaders(text) : text),
  removeItem: (name) => localStorage.removeItem(name),
  clear: () => localStorage.clear(),
}
const options = JSON.parse(${JSON.stringify(JSON.stringify(OPTIONS))})
const query = new URLSearchParams(location.search).get('query') ?? undefined
const tabs = JSON.parse(localStorage.getItem('graphiql:tabState'))?.tabs
const tab = tabs || query ? tabs?.find((one) => one.query === query) : options.defaultTabs[0]
const variables = tab && (tab.variables ?? '')
addEventListener('DOMContentLoaded', () => {
  const root = document.querySelector('#root')
  new MutationObserver(wrapLines).observe(root, { childList: true, subtree: true })
  YogaGraphiQL.renderYogaGraphiQL(root, { ...options, storage, query, variables, onEditQuery() {} })
})
`,
)

/** @param demo only of a development system */
export function playgroundAssets(demo: DemoWallets | undefined): readonly Asset[] {
  return [style, bundle, start, ...(demo ? [demoScript] : [])]
}

function pageOf(demo: DemoWallets | undefined) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Claim financing: GraphQL</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${urlOf(style)}">
  </head>
  <body id="body" class="no-focus-outline" ${demo ? demoAttributes(demo) : ''}>
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    ${demo ? html`<script src="${urlOf(demoScript)}"></script>` : ''}<script src="${urlOf(start)}"></script>
    <script src="${urlOf(bundle)}"></script>
  </body>
</html>
`
}

/** Loads the texts of GraphiQL and drops their module, whose strings take 8 MB of heap that the assets do not need. */
function readGraphiql() {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@graphql-yoga/render-graphiql/graphiql')
  const texts = z.object({ css: z.string(), js: z.string() }).parse(require(path))
  delete require.cache[path]
  return texts
}

/**
 * The editor sets styles of its elements; scripts are files of this server; the browser requests no other host, but the
 * chain of a development system.
 */
function policyOf(demo: DemoWallets | undefined): string {
  return pagePolicy(
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    `connect-src 'self'${demo ? ` ${demo.signer}` : ''}`,
  )
}

/**
 * Makes the handler of the page of GraphiQL, with a tab for each example.
 *
 * @param demo wallets to sign in as, only of a development system
 */
export function createPlayground(demo: DemoWallets | undefined) {
  const page = String(pageOf(demo))
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(demo),
    'Cache-Control': 'no-cache',
  }
  return (c: Context): Response => c.body(page, 200, headers)
}
