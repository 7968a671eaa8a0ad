/** The built documentation (`npm run docs`) on a port of its own. */
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { portNear } from './ports.ts'

/** Where `npm run docs` writes. */
const BUILT = join(import.meta.dirname, '../.cache/docs')

export function isDocumentationBuilt(): boolean {
  return existsSync(join(BUILT, 'index.html'))
}

/** Serves the documentation to this machine until the process ends. @returns its origin */
export async function serveDocumentation(port: number, root = BUILT): Promise<string> {
  const app = new Hono().use(serveStatic({ root, rewriteRequestPath: pageOf }))
  await new Promise<void>((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => resolve()).unref()
  })
  return `http://127.0.0.1:${port}`
}

/** Pages have addresses without `.html`. */
function pageOf(path: string): string {
  return path.endsWith('/') || extname(path) !== '' ? path : `${path}.html`
}

/** @returns the origin of the built documentation; undefined where it has not been built */
export async function startDocumentation(port: number): Promise<string | undefined> {
  return isDocumentationBuilt() ? serveDocumentation(await portNear(port)) : undefined
}
