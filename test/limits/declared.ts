/** The limits that the source declares: constants named `…_MAX`, `MAX_…`, `…_MIN` or `…_PER_…`. */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT =
  /^(?:export )?const ((?:MAX_[A-Z_]+|[A-Z_]+_(?:MAX|MIN)|[A-Z_]*_PER_(?:CLIENT|ADDRESS|WALLET|KEY)))\b/gm

/**
 * As `api/graphql/kit/filter.ts VALUES_MAX`. The work of the optimizer is bounded by one budget, which its own tests
 * hold.
 */
export function declaredLimits(): string[] {
  return globSync('{api,settings}/**/*.ts', { cwd: ROOT })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !file.startsWith('api/optimizer/'))
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      return [...source.matchAll(LIMIT)].map(([, name]) => `${file} ${name}`)
    })
    .sort()
}
