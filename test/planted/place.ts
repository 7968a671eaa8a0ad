/** Finds the place of a planted fault by its declaration and its tokens, in whichever file they are. */
import { declarationsOf } from './declarations.ts'
import type { PlantedFault } from './fault.ts'
import type { Source } from './sources.ts'

/** The text of `file` from `start` up to `end`. */
export type Place = { readonly file: string; readonly start: number; readonly end: number }
export type PlacedFault = PlantedFault & { readonly place: Place }

/** Finds all places of a fault. One that is not lost has exactly one. */
export function placesOf(
  sources: readonly Source[],
  { in: path, area = '', find }: Pick<PlantedFault, 'in' | 'area' | 'find'>,
): Place[] {
  const pattern = patternOf(find)
  return sources
    .filter(({ file }) => file.startsWith(area) && !file.startsWith('test/'))
    .flatMap(({ file, text }) => {
      const matches = [...text.matchAll(pattern)]
      const declarations = matches.length > 0 ? declarationsOf(file, text) : []
      const isWithin = (name: string, { start, end }: Place) =>
        declarations.some((outer) => outer.name === name && outer.start <= start && end <= outer.end)
      return matches
        .map((match) => ({ file, start: match.index, end: match.index + match[0].length }))
        .filter((place) => path.split('.').every((name) => isWithin(name, place)))
    })
}

/** Matches text that may stand between two tokens: white space and comments. */
const GAP = String.raw`(?:\s|\/\/.*$|\/\*[\s\S]*?\*\/)*`

/** Matches the tokens of `find`: words and single other characters. A comma at its end is optional. */
function patternOf(find: string): RegExp {
  const tokens = find.replace(/,\s*(?=[)\]}])/g, '').match(/[\w$]+|\S/g) ?? []
  return new RegExp(tokens.map(toPattern).join(GAP).replace(/,$/, ',?'), 'gm')
}

function toPattern(token: string): string {
  if (/[\w$]/.test(token)) return String.raw`(?<![\w$])${token.replaceAll('$', '\\$')}(?![\w$])`
  if (/['"]/.test(token)) return `['"]`
  return /[)\]}]/.test(token) ? `(?:,${GAP})?\\${token}` : `\\${token}`
}
