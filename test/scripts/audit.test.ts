/** The audit of the dependencies, against registries that answer in every way; npm itself is the real one. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')
const ADVISORY = 'https://advisories.example/GHSA-test'

let folder: string
let registry: Server
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claim-financing-audit-'))
  mkdirSync(join(folder, 'scripts'))
  for (const file of ['package.json', 'package-lock.json', 'scripts/audit-dependencies.ts'])
    cpSync(join(ROOT, file), join(folder, file))
  for (const name of ['node_modules', 'settings']) symlinkSync(join(ROOT, name), join(folder, name))
})
afterEach(() => {
  registry.close()
  registry.closeAllConnections()
  rmSync(folder, { recursive: true })
})

/** A registry whose bulk audit answers with `status` and `advisories`; undefined hangs. */
async function audit(
  answer: { status: number; advisories: unknown } | 'hangs up',
  accepted: { url: string; reason: string }[] = [],
) {
  writeFileSync(join(folder, 'scripts/accepted-advisories.json'), JSON.stringify(accepted))
  registry = createServer((request, response) => {
    request.resume()
    if (answer === 'hangs up') return request.socket.destroy()
    const isAudit = request.url?.includes('advisories') === true
    const body = isAudit ? answer.advisories : packument(decodeURIComponent(request.url?.slice(1) ?? ''))
    response.writeHead(isAudit ? answer.status : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  const port = await new Promise<number>((resolve) => {
    registry.listen(0, '127.0.0.1', () => {
      const address = registry.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_cache: join(folder, 'cache'),
  }
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['scripts/audit-dependencies.ts'],
      { cwd: folder, env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

/** The document that npm reads of a package that is affected or depends on one: here, the installed version alone. */
function packument(name: string) {
  const installed = packageShape.parse(
    JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')),
  )
  return { name, 'dist-tags': { latest: installed.version }, versions: { [installed.version]: installed } }
}

const packageShape = z.looseObject({ name: z.string(), version: z.string() })

const found = (severity: string) => ({
  status: 200,
  advisories: {
    hono: [
      { id: 1, url: ADVISORY, title: 'A hole', severity, vulnerable_versions: '<=99.0.0', cwe: [], cvss: {} },
    ],
  },
})

it('passes where the registry knows of no advisory', async () => {
  const { code, output } = await audit({ status: 200, advisories: {} })
  expect([code, output]).toEqual([0, expect.stringContaining('0 advisories')])
})

it('fails for an advisory of level high, and names the package', async () => {
  const { code, output } = await audit(found('high'))
  expect([code, output]).toEqual([1, expect.stringContaining(`high hono: A hole (${ADVISORY})`)])
})

it('names each advisory of a package, and counts one of several packages once', async () => {
  const [one] = found('high').advisories.hono
  const other = { ...one, id: 2, url: `${ADVISORY}-2`, title: 'Another hole', severity: 'critical' }
  const both = [one, other]
  const { code, output } = await audit({ status: 200, advisories: { hono: both, zod: both } })
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('2 advisories, 2 of them high or critical, 2 of'),
  ])
  expect(output).toMatch(/^high (hono|zod): A hole /m)
  expect(output).toMatch(/^critical (hono|zod): Another hole /m)
})

it('passes for an advisory of level moderate, and counts it', async () => {
  const { code, output } = await audit(found('moderate'))
  expect([code, output]).toEqual([0, expect.stringContaining('1 advisories, 0 of them high or critical')])
})

it('passes for an advisory of a dependency of the tests alone', async () => {
  const { hono } = found('critical').advisories
  const { code, output } = await audit({ status: 200, advisories: { vitest: hono } })
  expect([code, output]).toEqual([0, expect.stringContaining('0 advisories')])
})

it('passes for an advisory that is accepted with a reason', async () => {
  const { code, output } = await audit(found('critical'), [{ url: ADVISORY, reason: 'It is not called.' }])
  expect([code, output]).toEqual([0, expect.stringContaining('1 of them high or critical, 0 of those not')])
})

it('fails for an accepted advisory that applies to nothing', async () => {
  const { code, output } = await audit({ status: 200, advisories: {} }, [{ url: ADVISORY, reason: 'Once.' }])
  expect([code, output]).toEqual([1, expect.stringContaining('Remove it')])
})

it.each([['has no audit', { status: 405, advisories: '' } as const], ['hangs up', 'hangs up'] as const])(
  'passes where the registry %s, says that nothing is known, and names no host',
  async (_, answer) => {
    const { code, output } = await audit(answer)
    expect(code).toBe(0)
    expect(output).toContain('The registry did not answer the audit.')
    expect(output).not.toContain('127.0.0.1')
  },
)
