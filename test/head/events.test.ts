/** The view of unfinalized events has those that the projection handles, and no others. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { abisOf, vaultEvents } from '../../api/head/event.ts'
import { loadManifest } from '../../deployments/manifest.ts'

const SOURCES = join(import.meta.dirname, '../../src')

function handledEvents(): string[] {
  const files = readdirSync(SOURCES).filter((name) => name.endsWith('.ts'))
  const text = files.map((name) => readFileSync(join(SOURCES, name), 'utf8')).join('\n')
  const names = [...text.matchAll(/ponder\.on\('\w+:(\w+)'/g)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => name !== 'setup').sort()
}

it('shows the events that have a handler of the indexer', () => {
  const abis = [...abisOf(loadManifest(31_337)).values(), vaultEvents]
  const names = abis.flatMap((events) => [...events.values()].map(({ name }) => name))
  const shown = [...new Set(names)].sort()
  expect(shown).toEqual(handledEvents())
})
