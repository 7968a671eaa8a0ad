/** The pages of docs/: no dead link, and samples that run against a real gateway. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/yoga.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { serveHttp } from '../support/serve.ts'

const ROOT = join(import.meta.dirname, '../../docs')
const pages = globSync('**/*.md', { cwd: ROOT, exclude: ['node_modules'] })
const quickstarts = pages.filter((page) => page.startsWith('quickstart/'))
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')

type Sample = { page: string; language: string; code: string }

/** Code of the pages for a role. Those on a public chain and on faults need what no test has. */
const samples = quickstarts.flatMap((page): Sample[] =>
  [...textOf(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    page,
    language,
    code,
  })),
)

let gateway: ReadGateway
let server: Awaited<ReturnType<typeof serveHttp>>
beforeAll(async () => {
  gateway = await startReadGateway()
  server = await serveHttp(gateway.app.fetch)
})
afterAll(async () => {
  await server?.close()
  await gateway?.stop()
})

/** As a reader pastes it: each line counts. */
const runInShell = (code: string) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], {
    env: { ...process.env, GATEWAY: server.url },
  })

async function ask(query: string) {
  const response = await gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

it('there is a quickstart for each role', () => {
  const roles = ['analyst', 'frontend', 'issuer', 'operator', 'wallet']
  expect(quickstarts.toSorted()).toEqual(roles.map((role) => `quickstart/${role}.md`))
})

it.each(pages)('every link of %s leads to a file', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target)
  const local = links.filter((target) => !/^[a-z]+:/.test(target))
  const dead = local.filter((target) => !existsSync(join(ROOT, normalize(join(dirname(page), target)))))
  expect(dead).toEqual([])
})

describe('the samples', () => {
  it('are in languages that are run, those in JavaScript by programs.test.ts', () => {
    const languages = new Set(samples.map(({ language }) => language))
    expect([...languages].toSorted()).toEqual(['graphql', 'js', 'sh'])
  })

  it.each(samples.filter(({ language }) => language === 'graphql'))(
    'of $page are answered: $code',
    async ({ code }) => {
      const { data, errors } = await ask(code)
      expect(errors).toBeUndefined()
      expect(Object.values(data)).not.toContain(null)
    },
  )

  it.each(samples.filter(({ language }) => language === 'sh'))(
    'of $page succeed: $code',
    async ({ code }) => {
      await runInShell(code)
    },
  )

  it('that fail are noticed', async () => {
    await expect(runInShell('curl -fsS "$GATEWAY/nothing"')).rejects.toThrow()
  })
})
