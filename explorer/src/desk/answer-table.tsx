/** The rows of an answer, and all of them as a CSV file. */
import { Table } from '../parts/table.tsx'
import { csvOf } from './csv.ts'
import type { Answer } from './engine.ts'

const ROWS_SHOWN = 500

type Row = { values: Answer['rows'][number]; index: number }

export function AnswerTable({ answer }: { answer: Answer }) {
  const { columns, rows, isCut } = answer
  const shown = rows.slice(0, ROWS_SHOWN).map((values, index) => ({ values, index }))
  return (
    <>
      <p>
        {rows.length} rows{isCut ? ', of more' : ''}
        {rows.length > ROWS_SHOWN ? `; the first ${ROWS_SHOWN} are shown` : ''}.{' '}
        <button type="button" onClick={() => download(csvOf(answer))}>
          Download as CSV
        </button>
      </p>
      <Table<Row>
        caption="Answer"
        rows={shown}
        keyOf={({ index }) => String(index)}
        empty="The answer has no row."
        columns={columns.map(({ name, type }, place) => ({
          name,
          isNumber: /INT|DECIMAL|DOUBLE|FLOAT/.test(type),
          cell: ({ values }) => values[place] ?? '–',
        }))}
      />
    </>
  )
}

function download(csv: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  link.download = 'answer.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}
