/** The documents that an operator registers are those of a file, and a file that is not valid stops the start. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDocuments } from '../../deployments/documents.ts'

const TEXT = 'query Claims { claims { totalCount } }'
const HASH = createHash('sha256').update(TEXT).digest('hex')

let file: string
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'documents-')), 'documents.json')
})
afterAll(() => rmSync(join(file, '..'), { recursive: true }))

function load(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return loadDocuments(file)
}

describe('registered documents', () => {
  it('have the hashes of their texts as ids', () => {
    expect(load({ [HASH]: TEXT })).toEqual(new Map([[`sha256:${HASH}`, TEXT]]))
  })

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /the file of DOCUMENTS_FILE, is not there or is not JSON/],
    ['a list', [TEXT], /has no valid documents/],
    ['a text that is none', { [HASH]: 1 }, new RegExp(`${HASH} `)],
    ['a key that is no hash', { Claims: TEXT }, /64 lowercase hex digits/],
    ['a hash in upper case', { [HASH.toUpperCase()]: TEXT }, /64 lowercase hex digits/],
    ['another text', { [HASH]: `${TEXT} ` }, new RegExp(`another text under ${HASH}`)],
  ])('stop the start with %s, and the error names the file', (_, content, message) => {
    expect(() => load(content)).toThrow(message)
    expect(() => load(content)).toThrow(file)
  })

  it('may be 10,000, and one more stops the start', () => {
    const documents = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, number) => {
        const text = `query Claims${number} { claims { totalCount } }`
        return [createHash('sha256').update(text).digest('hex'), text]
      }),
    )
    expect(load(documents).size).toBe(10_000)
    expect(() => load({ ...documents, [HASH]: TEXT })).toThrow('must be 10000 documents at most')
  })

  it('stop the start without their file', () => {
    expect(() => loadDocuments(`${file}.none`)).toThrow(/is not there/)
  })
})
