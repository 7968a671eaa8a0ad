/** The results as tables of Markdown. */
import { aims, holds } from './aims.ts'
import { PEERS, type Workload } from './read.ts'
import { type Figures, findFigures, type Profile, type Results } from './results.ts'
import { workloads } from './workloads/index.ts'

const COLUMNS = ['the gateway', 'PostGraphile 5', 'Ponder', 'SQL through Hono']
const NONE = '–'

export function renderReport(results: Results): string {
  return [
    describeRun(results),
    'Requests per second:',
    table(
      ['read', ...COLUMNS],
      figureRows(results, ({ perSecond }) => perSecond.toFixed(0)),
    ),
    'Milliseconds, p50 / p99:',
    table(
      ['read', ...COLUMNS],
      figureRows(results, ({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`),
    ),
    'Processor time, seconds per 1000 requests, of the server / of Postgres:',
    table(
      ['read', ...COLUMNS],
      figureRows(results, ({ server, postgres }) => `${server.toFixed(2)} / ${postgres.toFixed(2)}`),
    ),
    'This table compares the figures with the aims. Its last column has the ratio of processor time per request, which depends less on other work of the machine:',
    table(['what', 'aim', 'measured', 'holds', 'by processor time'], aimRows(results)),
    ...renderProfiles(results.profiles),
  ].join('\n\n')
}

function describeRun({ date, machine, versions, claims, connections, pool, measurements }: Results): string {
  const rounds = measurements[0]?.rounds ?? []
  const seconds = rounds[0]?.seconds.toFixed(0)
  const { processor, cores, gigabytes, system, load } = machine
  return [
    `${date}, ${claims.toLocaleString('en')} claims, ${connections} connections, pool of ${pool}, ${rounds.length} rounds of ${seconds} s.`,
    `${cores} cores (${processor}), ${gigabytes} GB, ${system}; load average ${load[0].toFixed(1)} before and ${load[1].toFixed(1)} after.`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
  ].join('\n')
}

function figureRows(results: Results, show: (figures: Figures) => string): string[][] {
  return workloads
    .map((workload) => [workload.title, columnsOf(results, workload)] as const)
    .filter(([, columns]) => columns.some((figures) => figures))
    .map(([title, columns]) => [title, ...columns.map((figures) => (figures ? show(figures) : NONE))])
}

/** A read of the gateway that keeps answers stands in the column of the gateway. */
function columnsOf({ measurements }: Results, { id }: Workload): (Figures | undefined)[] {
  const [ours, kept, ...others] = PEERS.map((peer) => findFigures(measurements, id, peer))
  return [ours ?? kept, ...others]
}

function aimRows(results: Results): string[][] {
  return aims.flatMap((aim) => {
    const measured = aim.measured(results)
    if (measured === undefined) return []
    const processor = aim.byProcessor?.(results)
    const verdict = holds(aim, measured) ? 'yes' : '**no**'
    const cells = [aim.what, `${aim.bound} ${aim.limit}`, short(measured), verdict]
    return [[...cells, processor === undefined ? NONE : short(processor)]]
  })
}

const short = (figure: number) => (figure < 10 ? figure.toFixed(2) : figure.toFixed(0))

function renderProfiles(profiles: readonly Profile[] = []): string[] {
  if (profiles.length === 0) return []
  const rows = profiles.map(({ workload, packages }) => [
    workloads.find(({ id }) => id === workload)?.title ?? workload,
    packages.map(([name, percent]) => `${name} ${percent}`).join(', '),
  ])
  return [
    'Where the gateway computes, percent of its time without idling, for the reads that miss an aim:',
    table(['read', 'package or folder'], rows),
  ]
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [header, header.map(() => '---'), ...rows].map(line).join('\n')
}

const BEGIN = '<!-- Written by npm run bench:peers. -->'
const END = '<!-- End of the results. -->'

/** The document with the report between its two marks. @throws Error when it has none */
export function insertReport(document: string, report: string): string {
  const [start, end] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`the document lacks "${BEGIN}" and "${END}"`)
  return `${document.slice(0, start + BEGIN.length)}\n\n${report}\n\n${document.slice(end)}`
}
