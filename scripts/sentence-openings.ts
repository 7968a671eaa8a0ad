/** Sentences of comments and of Markdown that open with a word which hides their subject. */

/** Where the comment of a line begins, by the ending of the file's name. */
const COMMENTS: readonly (readonly [file: RegExp, start: RegExp])[] = [
  [/\.(?:ts|tsx|mjs|js|sol)$/, /^\s*(?:\/\/+|\/\*+|\*(?=\s))|\s\/\/\s/],
  [/\.sql$/, /--\s/],
  [/\.(?:sh|ya?ml|toml)$|Dockerfile$/, /(?:^|\s)#\s/],
]

const FENCE = /^ *```.*?^ *```/gms
const INLINE_CODE = /`[^`\n]*`/g
/** A question of a reader, as "What does it cost?". */
const QUESTION = /^#+ .*\?$/gm

/** An opening after the start of a line, or after the end of a sentence, a colon or the border of a cell. */
const OPENING = /(?<=^\W*|[.!?:;|]\s+\W*)(?:Of|The\s+same|What)(?=\s+[\w`])/gm

export type Opening = { readonly line: number; readonly words: string }

/** The forbidden openings of a file in the order in which they occur. Lines count from 1. */
export function findOpenings(path: string, text: string): Opening[] {
  const prose = proseOf(path, text)
  return [...prose.matchAll(OPENING)].map(({ 0: words, index }) => ({
    line: prose.slice(0, index).split('\n').length,
    words: words.replace(/\s+/, ' '),
  }))
}

/** The text without its code. Each line stays at its place. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return withoutCode(text)
  const start = COMMENTS.find(([file]) => file.test(path))?.[1]
  if (!start) return ''
  const commentOf = (line: string) => {
    const match = start.exec(line)
    return match ? line.slice(match.index + match[0].length) : ''
  }
  return text.split('\n').map(commentOf).join('\n')
}

function withoutCode(markdown: string): string {
  return markdown
    .replace(FENCE, (code) => code.replace(/[^\n]/g, ''))
    .replace(INLINE_CODE, 'code')
    .replace(QUESTION, '')
}
