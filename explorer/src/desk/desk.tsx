/** The analyst's desk: SQL over the lists of the gateway, in the browser of the visitor. */
import { useGateway } from 'claim-financing-react'
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Page, Section } from '../parts/page.tsx'
import { linkTo, replaceParams } from '../place/place.ts'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerTable } from './answer-table.tsx'
import { type Answer, type Engine, startEngine } from './engine.ts'
import { type Saved, saved } from './saved.ts'
import { type Loaded, loadTable, TABLES, tablesIn } from './tables.ts'

export default function Desk({ params }: { params: URLSearchParams }) {
  const chosen = saved.find(({ name }) => name === params.get('query'))
  const text = params.get('sql') ?? (chosen ?? saved[0])?.sql ?? ''
  return (
    <Page title="Desk">
      <p>
        SQL over the lists of this market. It runs in this browser: DuckDB is loaded once, and each list that
        a query names is read from the gateway as a Parquet file.
      </p>
      <ul className="saved">
        {saved.map(({ name, title }) => (
          <li key={name}>
            <a
              href={linkTo(['desk'], { query: name })}
              aria-current={name === chosen?.name ? 'true' : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
      <Editor key={text} text={text} known={chosen} />
    </Page>
  )
}

type Outcome = { answer: Answer; sql: string } | { error: Error } | undefined

function Editor({ text, known }: { text: string; known: Saved | undefined }) {
  const [sql, setSql] = useState(text)
  const [outcome, setOutcome] = useState<Outcome>()
  const [status, setStatus] = useState<string>()
  const { ask, stop, loaded } = useDesk(setStatus)
  const run = async () => {
    setOutcome(undefined)
    const outcome = await ask(sql).then(
      (answer): Outcome => answer && { answer, sql },
      (error: Error): Outcome => ({ error }),
    )
    setOutcome(outcome)
    setStatus(undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved query runs when it is opened
  useEffect(() => {
    if (known) void run()
  }, [])
  const isSaved = outcome !== undefined && 'answer' in outcome && outcome.sql === known?.sql
  return (
    <>
      <label className="field">
        Query
        <textarea
          rows={14}
          spellCheck={false}
          value={sql}
          onChange={({ target }) => setSql(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && run()}
        />
      </label>
      <div className="actions">
        <button type="button" className="primary" disabled={status !== undefined} onClick={run}>
          Run
        </button>
        <button type="button" disabled={status === undefined} onClick={stop}>
          Stop
        </button>
        <button type="button" onClick={() => replaceParams({ sql, query: undefined })}>
          Put the query in the address
        </button>
        <span aria-live="polite">{status}</span>
      </div>
      {outcome && 'error' in outcome ? <Failure error={outcome.error} /> : null}
      {outcome && 'answer' in outcome ? (
        <>
          {isSaved && known?.chart ? (
            <AnswerChart answer={outcome.answer} chart={known.chart} title={known.title} />
          ) : null}
          <AnswerTable answer={outcome.answer} />
        </>
      ) : null}
      <Section title="Tables">
        <p>
          {TABLES.map((name, index) => (
            <span key={name}>
              {index > 0 ? ', ' : ''}
              <code>{name}</code>
            </span>
          ))}
        </p>
        <ul>
          {loaded.map(({ name, rows, block, columns }) => (
            <li key={name}>
              <strong>{name}</strong>: {rows} rows of finalized block {block}; columns {columns.join(', ')}
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

/** One engine for the page. Each table is read once, when a query names it. */
function useDesk(report: (status: string | undefined) => void) {
  const gateway = useGateway()
  const engine = useRef<Promise<Engine>>(undefined)
  const [loaded, setLoaded] = useState<readonly Loaded[]>([])
  const end = useRef<(stopped: undefined) => void>(undefined)
  const drop = () => {
    engine.current?.then(({ stop }) => stop()).catch(() => {})
    engine.current = undefined
    setLoaded([])
  }
  // The worker ends with the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => drop, [])
  const answer = async (sql: string): Promise<Answer> => {
    report('Loading DuckDB …')
    engine.current ??= startEngine()
    const started = await engine.current
    for (const name of tablesIn(sql)) {
      if (loaded.some((table) => table.name === name)) continue
      report(`Reading ${name} …`)
      const table = await loadTable(gateway, started, name)
      setLoaded((known) => [...known, table])
    }
    report('Running …')
    return started.run(sql)
  }
  return {
    loaded,
    /** @returns undefined if it was stopped */
    ask: (sql: string): Promise<Answer | undefined> => {
      const stopped = new Promise<undefined>((resolve) => {
        end.current = resolve
      })
      return Promise.race([answer(sql), stopped])
    },
    /** Tables are lost with the worker, and read again by the next query. */
    stop: () => {
      end.current?.(undefined)
      drop()
    },
  }
}
