/** Words that the project's glossary replaces by standard terms, and where each occurs in a text. */

export type Rule = {
  /** Found as whole words and as parts of identifiers (`toldOf`, `SO_MANY`), in any case. */
  readonly words: readonly string[]
  readonly use: string
  /** Matches the text around an accepted use: what comes before, the word in brackets, what comes after. */
  readonly except?: RegExp
}

/** A name of a stream of random numbers: another name makes another demo world. */
const STREAM_LABEL = /seed, '\[/

export const RULES: readonly Rule[] = [
  { words: ['usual', 'usually'], use: 'default, by default' },
  { words: ['told', 'tell', 'tells', 'telling'], use: 'report, return, log, state, distinguish' },
  { words: ['dear', 'dearer', 'dearest'], use: 'expensive, costs more' },
  { words: ['fuse'], use: 'limit, bound, budget' },
  { words: ['seat', 'seats'], use: 'concurrency limit, slot' },
  { words: ['turns'], use: 'semaphore (noun), converts (verb)' },
  { words: ['bell', 'rung'], use: 'event, signal, notification' },
  { words: ['crew'], use: 'supervisor' },
  { words: ['errand', 'errands'], use: 'action', except: STREAM_LABEL },
  { words: ['agenda'], use: 'schedule', except: STREAM_LABEL },
  { words: ['narrator'], use: 'console' },
  { words: ['teller'], use: 'reporter' },
  { words: ['kept world'], use: 'persisted world' },
  { words: ['outlook'], use: 'completion bound' },
  { words: ['hurdle', 'hurdles'], use: 'prerequisites' },
  { words: ['whoever'], use: 'the caller that, every client that' },
  { words: ['so many'], use: 'the number of, at most' },
  { words: ['to come'], use: 'future, after, exclusive' },
  { words: ['makes way', 'make way', 'making way'], use: 'aborts, ends for' },
  { words: ['money at hand', 'cash at hand'], use: 'available liquidity' },
  { words: ['asked with'], use: 'argument, option, parameter' },
  // A conversion of type in TypeScript, in SQL and in the options of csv-stringify; the library of that name in
  // Solidity; Foundry's program.
  {
    words: ['cast'],
    use: 'accounts, actors',
    except: /(?:no|type) \[|\][:(]|Safe\[|`\[|(?:~|HOME|rs)\/\[|\] (?:send|wallet|keccak)/i,
  },
]

export type Finding = { readonly line: number; readonly word: string; readonly use: string }

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
const ruleOf = new Map(RULES.flatMap((rule) => rule.words.map((word) => [lettersOf(word), rule])))
const anyWord = new RegExp(RULES.flatMap(({ words }) => words.map(patternOf)).join('|'), 'g')

/** The forbidden words of a text in the order in which they occur. */
export function findForbidden(text: string): Finding[] {
  return [...text.matchAll(anyWord)].flatMap(({ 0: found, index }) => {
    const rule = ruleOf.get(lettersOf(found))
    if (!rule || rule.except?.test(inContext(text, index, found))) return []
    return { line: text.slice(0, index).split('\n').length, word: found, use: rule.use }
  })
}

/** Ten characters on each side of a match, and the match in brackets. */
function inContext(text: string, index: number, found: string): string {
  const end = index + found.length
  return `${text.slice(Math.max(0, index - 10), index)}[${found}]${text.slice(end, end + 10)}`
}

/**
 * A match begins and ends where a word does: next to another character than a letter, or where the case changes as in
 * `aWordOf`.
 */
function patternOf(words: string): string {
  const join = (parts: string[]) => parts.join('[\\s*/_-]*')
  const parts = words.split(' ')
  const capital = parts.map((part) => part.replace(/^./, (first) => first.toUpperCase()))
  const later = parts
    .slice(1)
    .map((part) => part.replace(/^./, (first) => `[${first}${first.toUpperCase()}]`))
  return [
    `(?<![A-Za-z])${join([parts[0] ?? '', ...later])}(?![a-z])`,
    `${join([capital[0] ?? '', ...later])}(?![a-z])`,
    `(?<![A-Za-z])${join(parts.map((part) => part.toUpperCase()))}(?![A-Za-z])`,
  ].join('|')
}
