/** The HTML of the gateway's own pages: no script, one inline style, nothing from other hosts. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { pagePolicy } from '../http/security-headers.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.6rem; line-height: 1.2 }
h2 { font-size: 1.1rem; margin: 2rem 0 0 }
code, time { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid #8884 }
th { font-weight: 600; white-space: nowrap }
a { color: light-dark(#0b57d0, #8ab4f8) }
`

/** Hash of the style as it stands in the page, by which the policy admits it and no other. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Revalidated by its tag: the block and the links can change. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': pagePolicy(`style-src 'sha256-${STYLE_HASH}'`, 'img-src data:'),
} as const

/** HTML in which each value was escaped. */
export type Html = ReturnType<typeof html>

/** @param title text; it is escaped */
export async function htmlPage(title: string, content: Html): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${raw(STYLE)}</style>
  </head>
  <body>
${content}
  </body>
</html>
`
  return page.toString()
}
