/** The samples of docs/ and README.md run against a real gateway. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { serveHttp } from '../support/serve.ts'

const ROOT = join(import.meta.dirname, '../../docs')
const quickstarts = globSync('quickstart/*.md', { cwd: ROOT })
/** Pages whose samples run. Those on a public chain and on faults need what no test has. */
const sampled = [...quickstarts, 'reading.md']
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')

type Sample = { page: string; language: string; code: string }

const samples = sampled.flatMap((page): Sample[] =>
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

/** A value with the type of each leaf in its place. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, formOf(part)]))
}

it('there is a quickstart for each role', () => {
  const roles = ['analyst', 'curator', 'frontend', 'issuer', 'lender', 'operator', 'wallet']
  expect(quickstarts.toSorted()).toEqual(roles.map((role) => `quickstart/${role}.md`))
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

  it('of README.md have an answer of the printed form', async () => {
    const readme = readFileSync(join(ROOT, '../README.md'), 'utf8')
    const blockOf = (language: string) =>
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? ''
    const { data } = await ask(blockOf('graphql'))
    expect(formOf(data)).toEqual(formOf(JSON.parse(blockOf('json')).data))
  })

  it('that fail are noticed', async () => {
    await expect(runInShell('curl -fsS "$GATEWAY/nothing"')).rejects.toThrow()
  })
})
