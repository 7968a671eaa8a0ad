/** The data dictionary of schema `projection` as a part of docs/analyst-sql.md. */
import { type Described, dictionary, toSnakeCase } from '../indexer/service/dictionary/index.ts'
import * as schema from '../ponder.schema.ts'

/** Types of columns, by the names of tables and columns. */
const types: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(schema).map(([name, table]) => [toSnakeCase(name), new Map(typesOf(table))]),
)

/** Writes a section for each view. */
export function dictionaryText(): string {
  return dictionary.map(sectionOf).join('\n\n')
}

function sectionOf({ name, meaning, columns }: Described): string {
  const own = types.get(name)
  const cells = [...columns].map(([column, words]) =>
    own ? [`\`${column}\``, own.get(column) ?? '', words] : [`\`${column}\``, words],
  )
  const header = own ? ['column', 'type', 'meaning'] : ['column', 'meaning']
  const rows = [header, header.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
  return [`### ${name}`, '', meaning, '', ...rows].join('\n')
}

function typesOf(table: object): [string, string][] {
  return Object.values(table).flatMap((column: unknown): [string, string][] =>
    isColumn(column) ? [[column.name, `${column.getSQLType()}${column.notNull ? '' : ', nullable'}`]] : [],
  )
}

type SqlColumn = { readonly name: string; readonly notNull: boolean; readonly getSQLType: () => string }

/** Ponder does not export the class of columns. */
function isColumn(value: unknown): value is SqlColumn {
  return typeof value === 'object' && value !== null && 'getSQLType' in value
}
