/** Copies of the optimizer with changed code, so that the optimizer has no switch and no observer for measurements. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OptimizeInput, RouteResult } from '../../api/optimizer/index.ts'
import type { PlantedFault } from '../../test/planted/fault.ts'
import { placesOf } from '../../test/planted/place.ts'
import type { Source } from '../../test/planted/sources.ts'
import { answerOf } from './answers.ts'

/** `find` occurs once in the declaration `in`. */
export type Change = Pick<PlantedFault, 'in' | 'find' | 'replace'>

const ROOT = join(import.meta.dirname, '../..')
const FILES = ['api/optimizer/**/*.ts', 'api/domain/*.ts']

/** @throws when a change matches no place, or several */
export async function createChangedCopy(changes: readonly Change[]) {
  const folder = mkdtempSync(join(tmpdir(), 'optimizer-'))
  for (const { file, text } of changedFiles(changes)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  /** Imports a module of the copy by its path below api/optimizer. */
  const load = (path: string) => import(pathToFileURL(join(folder, 'api/optimizer', path)).href)
  const { optimizeRoute }: { optimizeRoute(input: OptimizeInput): RouteResult } = await load('index.ts')
  return {
    optimizeRoute,
    /** Undefined when the work budget ends. */
    resultOf: (input: OptimizeInput) => answerOf(input, optimizeRoute),
    load,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** @throws when a change matches no place, or several */
export const changedFiles = (changes: readonly Change[]): Source[] => changes.reduce(changed, readFiles())

const readFiles = (): Source[] =>
  globSync(FILES, { cwd: ROOT }).map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

function changed(sources: readonly Source[], change: Change): Source[] {
  const [place, ...others] = placesOf(sources, change)
  if (place === undefined || others.length > 0)
    throw new Error(`${others.length + Number(place !== undefined)} places in ${change.in}: ${change.find}`)
  const { file, start, end } = place
  return sources.map((source) =>
    source.file === file
      ? { file, text: source.text.slice(0, start) + change.replace + source.text.slice(end) }
      : source,
  )
}
