import { expect, it } from 'vitest'
import { compare, differs } from '../../auditor/comparison.ts'

const at = { entity: 'vault', key: '0x1', field: 'name', kind: 'WRONG_VALUE' } as const

it('a text of the chain with a zero byte is that of the projection, in which no text has one', () => {
  const comparison = compare(at, 'Invoices', 'Invo\0ices')
  expect(differs(comparison)).toBe(false)
  expect(compare(at, 'Invoices', 'Other\0').onChain).toBe('Other')
})
