/** Versions of the programs that were run, and the machine that ran them. */
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Results } from './results.ts'

const OWN = ['ponder', 'hono', 'graphql-yoga', 'pg'] as const
const PEERS = ['postgraphile', '@graphile/pg-aggregates', 'autocannon'] as const
const manifest = z.object({ version: z.string() })

export function loadAverage(): number {
  return loadavg()[0] ?? 0
}

/** @param load before the first and after the last request */
export function describeMachine(load: [number, number]): Results['machine'] {
  return {
    processor: cpus()[0]?.model.trim() ?? '',
    cores: availableParallelism(),
    gigabytes: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    load,
  }
}

export function readVersions(): Record<string, string> {
  const root = join(import.meta.dirname, '../..')
  const versions = (folder: string, names: readonly string[]) =>
    names.map((name): [string, string] => [name, versionOf(join(folder, 'node_modules', name))])
  return Object.fromEntries([
    ['Node', process.versions.node],
    ...versions(root, OWN),
    ...versions(import.meta.dirname, PEERS),
  ])
}

function versionOf(folder: string): string {
  return manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version
}
