/** The one schema builder. Types register themselves on it when their file under `schema/` is loaded. */
import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import DataloaderPlugin from '@pothos/plugin-dataloader'
import RelayPlugin from '@pothos/plugin-relay'
import { PAGE_LIMIT_MAX } from '../domain/limits.ts'
import { validationFailed } from '../errors.ts'
import type { GraphqlContext } from './context.ts'
import { decodeGlobalId, encodeGlobalId } from './global-id.ts'
import { type ScalarShapes, scalars } from './scalars.ts'

/** Fields of every connection beside its page: the number of rows of its filter, counted only when selected. */
export type ConnectionExtras = { totalCount: () => Promise<number> }

/** Rows of a list that no argument bounds: slices of a claim, legs of an execution. */
const SHORT_LIST = 8

/** Counting reads the whole list, so it costs as much as a page of it. */
const COUNT_COST = 50

export const builder = new SchemaBuilder<{
  Context: GraphqlContext
  Scalars: ScalarShapes
  Connection: ConnectionExtras
  DefaultFieldNullability: false
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
}>({
  plugins: [RelayPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  complexity: { defaultComplexity: 1, defaultListMultiplier: SHORT_LIST },
  relay: {
    cursorType: 'String',
    encodeGlobalID: encodeGlobalId,
    decodeGlobalID: decodeGlobalId,
    idFieldOptions: { description: 'Global id, the argument of `node(id)`.' },
    firstArgOptions: {
      description:
        'Number of rows from the start, 1 to 200. Default: 50 where neither `first` nor `last` is given.',
    },
    lastArgOptions: { description: 'Number of rows from the end, 1 to 200, in the order of the list.' },
    afterArgOptions: { description: 'Only rows after this cursor, exclusive.' },
    beforeArgOptions: { description: 'Only rows before this cursor, exclusive.' },
    nodesOnConnection: {
      description: 'Rows without cursors.',
      complexity: { field: 0, multiplier: 1 },
    },
    edgesFieldOptions: {
      description: 'Rows with their cursors.',
      nullable: false,
      complexity: { field: 0, multiplier: 1 },
    },
    nodeFieldOptions: { description: 'The row.', nullable: false },
    cursorFieldOptions: {
      description: 'Cursor of the row in this order, for `after` and `before`.',
    },
    pageInfoFieldOptions: { description: 'Position of the page in its list.', complexity: 0 },
    pageInfoTypeOptions: { description: 'Position of a page in its list (Relay cursor connections).' },
    hasNextPageFieldOptions: { description: 'Whether rows follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether rows precede this page.' },
    startCursorFieldOptions: {
      description: 'Cursor of the first row, for `before`; null for an empty page.',
    },
    endCursorFieldOptions: {
      description: 'Cursor of the last row, for `after`; null for an empty page.',
    },
    nodeTypeOptions: { description: 'An object with a global id.' },
    nodeQueryOptions: {
      description: 'An object by its global id; null where there is none.',
      args: { id: { description: 'A global id of this API.' } },
    },
    nodesQueryOptions: {
      description: 'Objects by their global ids, in the order of `ids`; null where there is none.',
      args: { ids: { description: 'Global ids of this API, at most 200.' } },
      complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
      resolve: (_root, { ids }, _context, _info, resolveNodes) => resolveNodes(boundedIds(ids)),
    },
  },
})

/** @throws CodedError `VALIDATION_FAILED` for more than a page of them */
function boundedIds<Id>(ids: Id[]): Id[] {
  if (ids.length <= PAGE_LIMIT_MAX) return ids
  throw validationFailed([{ path: 'ids', message: `must be at most ${PAGE_LIMIT_MAX}` }])
}

builder.queryType({
  description: 'Reads of the projection. All reads of an operation are at one finalized block.',
})

builder.scalarType('Address', scalars.Address)
builder.scalarType('Hash', scalars.Hash)
builder.scalarType('Amount', scalars.Amount)
builder.scalarType('AmountSum', scalars.AmountSum)
builder.scalarType('DateTime', scalars.DateTime)
builder.scalarType('SafeInt', scalars.SafeInt)

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description:
      'Exact number of rows that match the filter. It is counted only when selected; omit it from queries that poll. A count that would read too many rows is refused as `AGGREGATE_TOO_WIDE`.',
    complexity: COUNT_COST,
    resolve: (connection) => connection.totalCount(),
  }),
)
