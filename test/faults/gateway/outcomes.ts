/**
 * Outcomes of a request during a fault: a right answer, a refusal that announces itself, no answer, or a wrong one.
 */
import { z } from 'zod'
import { catalogue, isErrorCode } from '../../../api/errors.ts'

export type Answer = { status: number; text: string; headers: Headers }

/** Undefined where the connection broke. */
export type Asked = Answer | undefined

export type Outcome =
  | { is: 'right' }
  /** A coded 503, or the name of a page of the proxy. */
  | { is: 'refused'; code: string }
  | { is: 'lost' }
  | { is: 'wrong'; what: string }

const problem = z.object({ code: z.string(), resumable: z.boolean().optional() })
const graphqlErrors = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })).min(1),
})

/** @param isRight of an answer with status 200 */
export function judge(asked: Asked, isRight: (answer: Answer) => boolean): Outcome {
  if (!asked) return { is: 'lost' }
  const { status, text, headers } = asked
  const wrong = (why: string): Outcome => ({ is: 'wrong', what: `${why}: ${status} ${text.slice(0, 600)}` })
  if ([502, 504].includes(status) && text.includes('nginx')) return { is: 'refused', code: `nginx ${status}` }
  const refusal = refusalOf(text)
  if (refusal === undefined)
    return status === 200 && isRight(asked) ? { is: 'right' } : wrong('not the answer')
  const { code, resumable, isGraphql } = refusal
  if (!isErrorCode(code) || catalogue[code].status !== 503) return wrong('not a refusal of 503')
  if (!isGraphql && status !== 503) return wrong('status and code differ')
  const mayBeRepeated = resumable !== false
  if (!isGraphql && mayBeRepeated && headers.get('Retry-After') === null) return wrong('without Retry-After')
  return { is: 'refused', code }
}

function refusalOf(text: string) {
  const body = parseJson(text)
  const refused = problem.safeParse(body).data
  if (refused) return { ...refused, isGraphql: false }
  const [error] = graphqlErrors.safeParse(body).data?.errors ?? []
  return error && { code: error.extensions.code, resumable: undefined, isGraphql: true }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Outcomes of many requests, by what they were for. */
export type Tally = {
  right: Map<string, number>
  refused: Map<string, number>
  lost: number
  wrong: string[]
}

export const createTally = (): Tally => ({ right: new Map(), refused: new Map(), lost: 0, wrong: [] })

export function count(tally: Tally, name: string, outcome: Outcome): void {
  if (outcome.is === 'right') increment(tally.right, name)
  else if (outcome.is === 'refused') increment(tally.refused, outcome.code)
  else if (outcome.is === 'lost') tally.lost++
  else tally.wrong.push(`${name}: ${outcome.what}`)
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0)

/** A line of a table: right answers, refusals by code, requests without an answer, wrong answers. */
export function describeTally({ right, refused, lost, wrong }: Tally): string {
  const codes = [...refused].map(([code, times]) => `${code} ${times}`).toSorted()
  return `${sumOf(right)} right, ${sumOf(refused)} refused (${codes.join(', ') || 'none'}), ${lost} lost, ${wrong.length} wrong`
}
