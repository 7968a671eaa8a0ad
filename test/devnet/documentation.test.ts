/** The server of the built documentation, on files of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serveDocumentation } from '../../devnet/documentation.ts'
import { freePort } from '../../devnet/ports.ts'

it('serves pages by addresses without .html, and nothing outside of its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-documentation-'))
  for (const page of ['index', 'errors']) await writeFile(join(folder, `${page}.html`), page)
  const origin = await serveDocumentation(await freePort(), folder)
  const open = async (path: string) => {
    const response = await fetch(`${origin}${path}`)
    return response.ok ? response.text() : response.status
  }
  expect(await open('/')).toBe('index')
  expect(await open('/errors')).toBe('errors')
  expect(await open('/errors.html')).toBe('errors')
  expect(await open('/missing')).toBe(404)
  expect(await open('/%2e%2e/%2e%2e/etc/passwd')).toBe(404)
  await rm(folder, { recursive: true })
})
