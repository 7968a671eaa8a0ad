import { expect, it } from 'vitest'
import { plantedFaults } from './faults/index.ts'
import { placesOf } from './place.ts'

const PAGE = `
export function readPage(request) {
  const page = toPage({
    rows: "as they are", // in their order
    limit: /* at most */ request.limit,
  })
  return sql\`select * from claim where due_at < \${page.now} limit 1\`
}
export const other = () => toPage({ rows: 'as they are', limit: request.limit })
`
const VAULT = `
contract Vault {
    /* function maxMint() { */
    function maxDeposit(address) public view returns (uint256) { return 1; }
    function maxMint(address) public view returns (uint256) { if (paused) { return 0; } return 1; }
}
`
const SOURCES = [
  { file: 'api/any/folder/page.ts', text: PAGE },
  { file: 'contracts/Vault.sol', text: VAULT },
  { file: 'test/page.test.ts', text: PAGE },
]

function textsOf(fault: Parameters<typeof placesOf>[1]): string[] {
  const texts = new Map(SOURCES.map(({ file, text }) => [file, text]))
  return placesOf(SOURCES, fault).map(({ file, start, end }) => texts.get(file)?.slice(start, end) ?? '')
}

it('lists planted faults', () => {
  expect(plantedFaults.length).toBeGreaterThan(0)
})

it('finds a planted fault however its source is laid out', () => {
  const find = "toPage({ rows: 'as they are', limit: request.limit })"
  const [place = ''] = textsOf({ in: 'readPage', find })
  expect(place).toMatch(/^toPage\(\{\n.*\n.*request\.limit,\n {2}\}\)$/)
  expect(textsOf({ in: 'readPage', find: `due_at\n < \${page.now}` })).toEqual([`due_at < \${page.now}`])
})

it('finds no part of a word, and no place outside the declaration', () => {
  expect(textsOf({ in: 'readPage', find: 'oPage(' })).toEqual([])
  expect(textsOf({ in: 'other', find: 'limit 1' })).toEqual([])
  expect(textsOf({ in: 'page', area: 'packages', find: 'request.limit' })).toEqual([])
})

it('finds declarations of Solidity', () => {
  expect(textsOf({ in: 'maxMint', find: 'return 1;' })).toEqual(['return 1;'])
  expect(textsOf({ in: 'Vault.maxDeposit', find: 'return' })).toEqual(['return'])
})
