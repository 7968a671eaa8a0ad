import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadManifest } from '../../deployments/manifest.ts'

/** The manifest of the development chain, with another symbol of its first token. */
function load(symbol: string) {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'))
  const text = readFileSync(join(import.meta.dirname, '../../deployments/31337.json'), 'utf8')
  writeFileSync(join(folder, '31337.json'), text.replace('"HUSD"', JSON.stringify(symbol)))
  return loadManifest(31337, folder)
}

describe('a manifest', () => {
  it('has symbols of at most 64 characters, as the registry of tokens stores them', () => {
    expect(load('S'.repeat(64)).tokens[0]?.symbol).toHaveLength(64)
    expect(() => load('S'.repeat(65))).toThrow('is not a deployment manifest')
  })

  it('that does not exist is refused with the chain and the file', () => {
    expect(() => loadManifest(424_242)).toThrow(
      /no deployment manifest for chain 424242: .*424242\.json cannot be read/,
    )
  })
})
