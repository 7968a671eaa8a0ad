/** The tables of a search. */
import { type Figures, median } from './measure.ts'
import type { Written } from './write.ts'

/** `roots`: names of its root fields. */
export type Found = { written: Written; roots: ReadonlySet<string>; figures: Figures }

export type Scored = { title: string; score: (figures: Figures) => number }

const perThousand = (work: 'main' | 'postgres') => (figures: Figures) => (1000 * figures[work]) / figures.cost

/** How bad an operation is. */
export const scores: readonly Scored[] = [
  { title: 'main thread, ms per 1,000 points', score: perThousand('main') },
  { title: 'Postgres, ms per 1,000 points', score: perThousand('postgres') },
  { title: 'longest delay of the event loop, ms', score: ({ held }) => held },
]

const SHOWN = 10
const QUERY_SHOWN = 160

/** The worst operations, but none that only adds root fields to a worse one. */
export function worstBy<F extends Found>({ score }: Scored, found: readonly F[], count = SHOWN): F[] {
  const apart: F[] = []
  for (const one of found.toSorted((a, b) => score(b.figures) - score(a.figures))) {
    const adds = apart.some((worse) => [...worse.roots].every((name) => one.roots.has(name)))
    if (!adds && apart.length < count) apart.push(one)
  }
  return apart
}

const COLUMNS: readonly [title: string, cell: (figures: Figures) => string | number][] = [
  ['cost', ({ cost }) => cost],
  ['main ms', ({ main }) => main.toFixed(1)],
  ['Postgres ms', ({ postgres }) => postgres.toFixed(1)],
  ['held ms', ({ held }) => held.toFixed(1)],
  ['bytes', ({ bytes }) => bytes],
  ['error', ({ code }) => code ?? ''],
]

export function renderWorst(scored: Scored, found: readonly Found[]): string {
  const titles = [scored.title, ...COLUMNS.map(([title]) => title), 'operation']
  const rows = worstBy(scored, found).map(({ written, figures }) => [
    scored.score(figures).toFixed(1),
    ...COLUMNS.map(([, cell]) => cell(figures)),
    `\`${written.query.slice(0, QUERY_SHOWN)}\``,
  ])
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return ['', ...lines].join('\n')
}

/**
 * The median is that of the operations that are answered: those that are refused read nothing.
 *
 * @param worst measured again, because the largest of many figures is the one with most noise
 */
export function renderRatio(
  { title, score }: Scored,
  all: readonly Figures[],
  worst: readonly Found[],
): string {
  const middle = median(all.filter(({ code }) => code === undefined).map(score))
  const largest = Math.max(...worst.map(({ figures }) => score(figures)))
  return `${title}: worst ${largest.toFixed(2)}, median ${middle.toFixed(2)}, ratio ${(largest / middle).toFixed(1)}`
}

/** Least squares of milliseconds over points. */
export function renderFit(name: string, all: readonly Figures[], of: (figures: Figures) => number): string {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(all.map(({ cost }) => cost)), mean(all.map(of))]
  const products = mean(all.map((figures) => (figures.cost - x) * (of(figures) - y)))
  const slope = products / mean(all.map(({ cost }) => (cost - x) ** 2))
  const explained = (slope * products) / mean(all.map((figures) => (of(figures) - y) ** 2))
  const start = y - slope * x
  return `${name}: ${start.toFixed(2)} ms + ${(1000 * slope).toFixed(3)} ms per 1,000 points (R² ${explained.toFixed(2)})`
}
