/** The analyst's desk: SQL over the lists of the gateway, in the browser of the visitor. */
import { useEffect, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Page, Section } from '../parts/page.tsx'
import { linkTo, replaceParams } from '../place/place.ts'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerTable } from './answer-table.tsx'
import type { Answer } from './engine.ts'
import { TABLES } from './names.ts'
import { type Saved, saved } from './saved.ts'
import { type Desk, useDesk } from './use-desk.ts'

export default function DeskPage({ params }: { params: URLSearchParams }) {
  const chosen = saved.find(({ name }) => name === params.get('query'))
  const desk = useDesk()
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
      <Editor key={text} text={text} known={chosen} desk={desk} />
      <Tables desk={desk} />
    </Page>
  )
}

type Outcome = { answer: Answer; sql: string } | { error: Error } | undefined

function Editor({ text, known, desk }: { text: string; known: Saved | undefined; desk: Desk }) {
  const [sql, setSql] = useState(text)
  const [outcome, setOutcome] = useState<Outcome>()
  const { ask, stop, status } = desk
  const run = async () => {
    setOutcome(undefined)
    const outcome = await ask(sql).then(
      (answer): Outcome => answer && { answer, sql },
      (error: Error): Outcome => ({ error }),
    )
    setOutcome(outcome)
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
    </>
  )
}

/** Each list is read once, when a query names it. */
function Tables({ desk: { loaded, stop } }: { desk: Desk }) {
  return (
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
      {loaded.length > 0 ? (
        <button type="button" onClick={stop}>
          Forget these rows
        </button>
      ) : null}
    </Section>
  )
}
