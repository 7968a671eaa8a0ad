/** The tests that contracts/README.md names exist, and so do the functions that docs/deploying.md calls. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Abi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'

const document = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

/** The last cells of the tables whose last column has tests. */
function namedTests(): { file: string; name: string }[] {
  const tables = document('contracts/README.md')
    .split('\n\n')
    .filter((block) => /^\|.*\| test in `test\/contracts` \|$/m.test(block))
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(2))
  const entries = rows.flatMap((row) => row.replace(/ \|$/, '').split(' | ').at(-1)?.split('; ') ?? [])
  return entries.map((entry) => {
    const [, file = entry, name = ''] = /^`([a-z0-9-]+)`(?:: (.+))?$/.exec(entry) ?? []
    return { file, name }
  })
}

/** The titles of the tests and groups of a file. */
function titlesOf(file: string): string[] {
  const path = join(import.meta.dirname, `${file}.test.ts`)
  if (!existsSync(path)) return []
  const calls = readFileSync(path, 'utf8').matchAll(/\b(?:test|describe)\b[^;]*?\(\s*(['"`])(.+?)\1,/g)
  return [...calls].map(([, , title = '']) => title)
}

test('contracts/README.md names tests that exist', () => {
  const named = namedTests()
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ file, name }) => !titlesOf(file).some((title) => title.includes(name)))).toEqual([])
})

test('docs/deploying.md calls functions that exist', () => {
  const abis: Record<string, Abi> = {
    claimRegistry: claimRegistryAbi,
    financingRouter: financingRouterAbi,
    issuerRegistry: issuerRegistryAbi,
    tokenRegistry: tokenRegistryAbi,
    vaultRegistry: vaultRegistryAbi,
  }
  const selectorsOf = (contract: string) =>
    abis[contract]?.flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item)] : []))
  const calls = [...document('docs/deploying.md').matchAll(/\$\(address (\w+)\)[\s\\]+'(\w+\(.*\))'/g)]
  expect(calls.length).toBeGreaterThan(5)
  const isUnknown = ([, contract = '', signature = '']: RegExpMatchArray) =>
    !selectorsOf(contract)?.includes(toFunctionSelector(signature))
  expect(calls.filter(isUnknown).map(([call]) => call)).toEqual([])
})
