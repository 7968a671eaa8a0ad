/** The labels of an operator are those of their file, and a file that is not valid stops the start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadLabels } from '../../deployments/labels.ts'

const ISSUER = `0x${'ab'.repeat(20)}`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'labels-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function load(content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, '10.labels.json'), text)
  return loadLabels(10, folder)
}

describe('labels', () => {
  it('are those of the file of the chain', () => {
    const labels = {
      claimTypes: { 1: 'Trade invoices', 255: 'Taxes' },
      issuers: { [ISSUER]: 'Exemple SARL été' },
    }
    expect(load(labels)).toEqual(labels)
  })

  it('may have 100 characters each, and 1,000 issuers', () => {
    const issuers = Array.from({ length: 1000 }, (_, i) => [
      `0x${String(i).padStart(40, '0')}`,
      'é'.repeat(100),
    ])
    const labels = { claimTypes: { 0: 'x' }, issuers: Object.fromEntries(issuers) }
    expect(load(labels)).toEqual(labels)
  })

  it('are none without a file, or without a kind in it', () => {
    expect(loadLabels(11, folder)).toEqual({ claimTypes: {}, issuers: {} })
    expect(load({})).toEqual({ claimTypes: {}, issuers: {} })
  })

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /expected object/],
    ['a member that is not known', { vaults: {} }, /Unrecognized key: "vaults"/],
    [
      'a claim type above 255',
      { claimTypes: { 256: 'x' } },
      /claimTypes\.256 must be a claim type, 0 to 255\.$/,
    ],
    ['a claim type with a leading zero', { claimTypes: { '01': 'x' } }, /claimTypes/],
    [
      'an address with capital letters',
      { issuers: { [ISSUER.toUpperCase().replace('X', 'x')]: 'x' } },
      /issuers/,
    ],
    ['an empty label', { claimTypes: { 1: '' } }, /1 to 100 characters/],
    ['a label of 101 characters', { claimTypes: { 1: 'x'.repeat(101) } }, /1 to 100 characters/],
    ['a label with a zero byte', { claimTypes: { 1: 'a\0' } }, /1 to 100 characters/],
    ['a label that reverses the text after it', { issuers: { [ISSUER]: 'a\u202e' } }, /1 to 100 characters/],
    ['a label that is no text', { claimTypes: { 1: 1 } }, /claimTypes/],
    [
      'more than 1000 issuers',
      {
        issuers: Object.fromEntries(
          Array.from({ length: 1001 }, (_, i) => [`0x${String(i).padStart(40, '0')}`, 'x']),
        ),
      },
      /1000 issuers at most/,
    ],
  ])('with %s are refused in a sentence that names the file', (_, content, reason) => {
    expect(() => load(content)).toThrow(/10\.labels\.json has no valid labels: /)
    expect(() => load(content)).toThrow(reason)
  })
})
