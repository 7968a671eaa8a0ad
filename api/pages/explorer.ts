/** The explorer at `/explore/`: the static files of `npm run explorer`, which call the API like any other frontend. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { DemoWallets } from '../config/config.ts'
import { demoAttributes } from '../graphql/serve/demo-wallets.ts'
import type { AppEnv } from '../http/env.ts'
import { onNotFound } from '../http/problem.ts'
import type { RouteRules } from '../http/route-rules.ts'
import { explorerPolicy } from './explorer-policy.ts'

const PATH = '/explore'
const PUBLIC: RouteRules = { access: 'public', limit: 'default' }

export const explorerRules: readonly [string, RouteRules][] = [
  [`GET ${PATH}`, PUBLIC],
  [`GET ${PATH}/`, PUBLIC],
  [`GET ${PATH}/assets/:file`, { ...PUBLIC, hasNoQuery: true }],
]

/**
 * @param folder what `npm run explorer` has written. Its page is read at each request, so another build can replace it
 * @param demo wallets to use without an extension, only of a development system
 * @throws Error if the folder has no page
 */
export function explorer(folder: string, demo: DemoWallets | undefined) {
  checkExplorer(folder)
  const policy = explorerPolicy(...(demo ? [demo.signer] : []))
  const headers = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }
  const body = demo ? `<body ${demoAttributes(demo)}` : '<body'
  return new Hono<AppEnv>()
    .get(PATH, (c) => c.redirect(`${PATH}/`, 308))
    .get(`${PATH}/`, async (c) => {
      const page = await readFile(join(folder, 'index.html'), 'utf8')
      return c.html(
        page.replace('<body', () => body),
        200,
        headers,
      )
    })
    .get(
      `${PATH}/assets/:file`,
      serveStatic({
        root: folder,
        precompressed: true,
        rewriteRequestPath: (path) => path.slice(PATH.length),
        onFound: (_, c) => {
          // The name of a file has a hash of its content.
          c.header('Cache-Control', 'public, max-age=31536000, immutable')
          // A worker has the policy of its own script.
          c.header('Content-Security-Policy', policy)
        },
      }),
      onNotFound,
    )
}

function checkExplorer(folder: string): void {
  if (existsSync(join(folder, 'index.html'))) return
  throw new Error(`EXPLORER_FOLDER has no index.html: ${folder}. Build it with "npm run explorer".`)
}
