/**
 * The interactive API reference at `/docs` (Scalar), outside production only (interface specification, section 1). The
 * page, its script and its settings come from here, and its policy forbids requests to other hosts.
 */
import { readFileSync } from 'node:fs'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { toCodedError } from '../errors.ts'
import { type Asset, createAsset, serveAssets } from '../http/assets.ts'
import type { AppEnv } from '../http/env.ts'
import { pagePolicy } from '../http/security-headers.ts'
import { readProjection } from '../rest/shared/answer.ts'
import type { Described } from './described.ts'
import { readSamples } from './reference-examples.ts'
import { withExamples } from './with-examples.ts'

/** Styles are inline in Scalar's bundle; nothing else is let through that this server did not send as a file. */
const CONTENT_SECURITY_POLICY = pagePolicy(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
)

const pageOf = (scripts: readonly Asset[]) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference: claim financing gateway</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript; the description it shows is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>
${scripts.map(({ file }) => `    <script src="/docs/${file}"></script>`).join('\n')}
  </body>
</html>
`

/** No proxy, no fonts, no telemetry, no assistant: all of those send requests to other servers. */
const START = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: '/docs/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
})})
`

/** @param describe returns the description of the API, which is complete after all routes are registered */
export function reference(describe: () => Described) {
  const assets = [createAsset('scalar', 'js', readScalar()), createAsset('start', 'js', START)]
  const page = pageOf(assets)
  const headers = { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': 'no-cache' }
  return new Hono<AppEnv>()
    .get('/', (c) => c.html(page, 200, headers))
    .get('/openapi.json', async (c) => c.json(await describeWithRows(c, describe()), 200))
    .get('/:file', serveAssets(assets))
}

/** The description with examples of rows that exist; without them while none can be read. */
async function describeWithRows(c: Context<AppEnv>, description: Described): Promise<Described> {
  try {
    return withExamples(description, await readProjection(c, readSamples))
  } catch (thrown) {
    if (toCodedError(thrown).status === 503) return description
    throw thrown
  }
}

/** A development dependency: a production install does without its 150 MB. */
function readScalar(): string {
  try {
    return readFileSync(
      new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')),
      'utf8',
    )
  } catch (cause) {
    throw new Error(
      'The API reference at /docs needs the development dependencies: install them (npm ci), or set NODE_ENV=production, where it is not served.',
      { cause },
    )
  }
}
