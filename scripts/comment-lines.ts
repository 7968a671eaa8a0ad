/** Comment lines that are too long to read beside others. */

/** Characters of a comment line, with its indentation. */
export const COMMENT_LINE_MAX = 120

/**
 * How a comment line begins, by the ending of the file's name. Lines within a comment of several lines begin with `*`.
 */
const BEGINNINGS: readonly (readonly [file: RegExp, line: RegExp])[] = [
  [/\.(?:ts|tsx|mjs|js|sol)$/, /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/],
  [/\.sh$/, /^\s*#/],
]

/**
 * Lines that cannot be broken: directives, rows of tables, code (four spaces more), and a word, as the address of a
 * page.
 */
const UNBREAKABLE = /biome-ignore|shellcheck|^\s*(?:\/\/+|#|\*)\s*(?:\|| {4}|\S{100,})/

/** The numbers of the lines, from 1. */
export function longCommentLines(path: string, text: string): number[] {
  const beginning = BEGINNINGS.find(([file]) => file.test(path))?.[1]
  if (!beginning) return []
  return text.split('\n').flatMap((line, index) => {
    const isLong = line.length > COMMENT_LINE_MAX && beginning.test(line) && !UNBREAKABLE.test(line)
    return isLong ? [index + 1] : []
  })
}
