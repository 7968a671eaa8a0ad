/**
 * Every limit that the source declares has a test at its edge: a request here that passes at the limit and not one
 * beyond, or a test that is named.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { declaredLimits } from './declared.ts'
import { edges } from './edges.ts'
import { elsewhere, internal } from './elsewhere.ts'

const ROOT = join(import.meta.dirname, '../..')

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

describe('the limits of the source', () => {
  it('all have a request at their edge, or a test that is named', () => {
    const held = [edges, elsewhere, internal].flatMap((limits) => Object.keys(limits))
    expect(held.sort()).toEqual(declaredLimits())
  })

  it.each(Object.entries(elsewhere))('%s: the test that is named exists', (_, { file, title }) => {
    expect(existsSync(join(ROOT, file))).toBe(true)
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title)
  })
})

describe('a request', () => {
  it.each(Object.entries(edges))('passes %s at the limit and not one beyond', async (_, edge) => {
    const { limit, send, refusal } = edge
    const at = await send(gateway.app, limit)
    expect(at).not.toContain(refusal)
    expect(at).not.toContain('INTERNAL')
    expect(await send(gateway.app, limit + 1)).toContain(refusal)
  })
})
