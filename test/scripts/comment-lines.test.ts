/** The check of long comment lines finds those of comments, and nothing else. */
import { expect, it } from 'vitest'
import { COMMENT_LINE_MAX, longCommentLines } from '../../scripts/comment-lines.ts'

/** A line of this many characters that begins so. */
const line = (beginning: string, length: number) => beginning.padEnd(length - 1, ' word').padEnd(length, '.')

it.each([
  ['a.ts', '// '],
  ['a.ts', '    /** '],
  ['a.tsx', ' * '],
  ['A.sol', '    /// '],
  ['a.sh', '# '],
])('in %s, a line that begins with "%s" has at most 120 characters', (path, beginning) => {
  const [longest, longer] = [COMMENT_LINE_MAX, COMMENT_LINE_MAX + 1].map((length) => line(beginning, length))
  expect(longCommentLines(path, `${longest}\n`)).toEqual([])
  expect(longCommentLines(path, `${longest}\n${longer}\nconst a = 1\n${longer}\n`)).toEqual([2, 4])
})

it.each([
  ['a statement', 'a.ts', line('const text = ', 200)],
  ['a comment behind code', 'a.ts', line('const a = 1 // ', 200)],
  ['a reason to ignore a rule', 'a.ts', line('// biome-ignore lint/a/b: ', 200)],
  ['a row of a table', 'a.ts', line(' * | ', 200)],
  ['code', 'a.ts', line(' *     npm run ', 200)],
  ['an address', 'a.ts', `// ${'https://example.com/'.padEnd(200, 'x')}`],
  ['another language', 'a.md', line('// ', 200)],
])('%s may be longer', (_, path, text) => {
  expect(longCommentLines(path, text)).toEqual([])
})
