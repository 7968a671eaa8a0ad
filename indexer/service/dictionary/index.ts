/** Data dictionary of schema `projection`: the meaning of each view and column. docs/analyst-sql.md lists it. */
import type { Table } from '../../../api/projection/sql/source.ts'
import * as market from './market.ts'
import * as vaults from './vaults.ts'
import type { Entry } from './words.ts'

const tables: { readonly [T in Table]: Entry<T> } = { ...market, ...vaults }

export type Described = {
  /** Name in schema `projection`. */
  readonly name: string
  readonly meaning: string
  /** Meanings by the names of the columns. */
  readonly columns: ReadonlyMap<string, string>
}

/** Relations beside the views of tables: where the projection is, and its versions. */
const OTHERS: readonly Described[] = [
  {
    name: '_ponder_checkpoint',
    meaning: 'The finalized block that the views show; one row.',
    columns: new Map([
      ['chain_name', 'Name of the chain in the configuration of Ponder.'],
      ['chain_id', 'Id of the chain.'],
      [
        'safe_checkpoint',
        'Position of the last event that no reorganization removes, in the form of latest_checkpoint.',
      ],
      [
        'latest_checkpoint',
        'Position of the last event: time (10 digits), id of the chain (16), number of the block (16), and the position in the block.',
      ],
      ['finalized_checkpoint', 'Position of the finalized block, in the form of latest_checkpoint.'],
    ]),
  },
  {
    name: '_ponder_meta',
    meaning: 'State of Ponder. Readers do not need it.',
    columns: new Map([
      ['key', 'Name.'],
      ['value', 'Value.'],
    ]),
  },
  {
    name: '_version',
    meaning: 'Versions of the indexer that were started on this database.',
    columns: new Map([
      ['schema', 'Schema that the version writes.'],
      ['chain_id', 'Id of the chain.'],
      ['genesis', 'Hash of block 0 of the chain.'],
      ['generation', 'Position in the order of first starts.'],
      ['published_at', 'Time of the last publication; null before the first.'],
    ]),
  },
]

export const dictionary: readonly Described[] = [...Object.entries(tables).map(describe), ...OTHERS]

type Columns = { readonly [column: string]: string }

function describe([table, { view, columns }]: [string, { view: string; columns: Columns }]): Described {
  const named = Object.entries(columns).map(([column, meaning]): [string, string] => [
    toSnakeCase(column),
    meaning,
  ])
  return { name: toSnakeCase(table), meaning: view, columns: new Map(named) }
}

/** Ponder names tables and columns so. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
