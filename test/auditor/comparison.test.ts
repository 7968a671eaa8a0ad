import { expect, it } from 'vitest'
import { compare, differs } from '../../auditor/comparison.ts'

const at = { entity: 'vault', key: '0x1', field: 'name', kind: 'WRONG_VALUE' } as const

it('a text of the chain with zero bytes is that of the projection, in which no text has one', () => {
  for (const text of ['Invo\0ices', '\0Invoices', 'Invoices\0\0', '\0Invo\0ices\0'])
    expect(differs(compare(at, 'Invoices', text)), JSON.stringify(text)).toBe(false)
  expect(compare(at, 'Invoices', 'Other\0').onChain).toBe('Other')
})
