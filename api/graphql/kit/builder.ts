/** The one schema builder. Types register themselves on it when their file under `schema/` is loaded. */
import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import RelayPlugin from '@pothos/plugin-relay'
import { decodeGlobalId, encodeGlobalId } from './global-id.ts'
import { computed } from './reads.ts'
import { type ScalarShapes, scalars } from './scalars.ts'

/** Rows of a list that no argument bounds: slices of a claim, legs of an execution. */
const SHORT_LIST = 8

/** Counting reads the whole list, so it costs as much as a page of it. */
const COUNT_COST = 50

export const builder = new SchemaBuilder<{
  Scalars: ScalarShapes
  DefaultFieldNullability: false
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
}>({
  plugins: [RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  complexity: { defaultComplexity: 1, defaultListMultiplier: SHORT_LIST },
  relay: {
    cursorType: 'String',
    encodeGlobalID: encodeGlobalId,
    decodeGlobalID: decodeGlobalId,
    idFieldOptions: { description: 'Global id, the argument of `node(id)`.' },
    firstArgOptions: {
      description:
        'Number of rows from the start, 1 to 200. Default: 50 if neither `first` nor `last` is given.',
    },
    lastArgOptions: { description: 'Number of rows from the end, 1 to 200, in the order of the list.' },
    afterArgOptions: { description: 'Only rows after this cursor, exclusive.' },
    beforeArgOptions: { description: 'Only rows before this cursor, exclusive.' },
    nodesOnConnection: {
      description: 'Rows without cursors.',
      complexity: { field: 0, multiplier: 1 },
      extensions: { read: { kind: 'items' } },
    },
    edgesFieldOptions: {
      description: 'Rows with their cursors.',
      nullable: false,
      complexity: { field: 0, multiplier: 1 },
      extensions: { read: { kind: 'items' } },
    },
    nodeFieldOptions: { description: 'The row.', nullable: false, extensions: { read: { kind: 'part' } } },
    cursorFieldOptions: {
      description: 'Cursor of the row in this order, for `after` and `before`.',
    },
    pageInfoFieldOptions: {
      description: 'Position of the page in its list.',
      complexity: 0,
      extensions: { read: { kind: 'part' } },
    },
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
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
})

builder.queryType({
  description: 'Reads of the projection. All reads of an operation are at one finalized block.',
})

builder.scalarType('Address', scalars.Address)
builder.scalarType('Hash', scalars.Hash)
builder.scalarType('Amount', scalars.Amount)
builder.scalarType('AmountSum', scalars.AmountSum)
builder.scalarType('SignedAmount', scalars.SignedAmount)
builder.scalarType('DateTime', scalars.DateTime)
builder.scalarType('SafeInt', scalars.SafeInt)

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description:
      'Exact number of rows that match the filter. Rows are counted only if this field is selected; omit it from queries that poll. A count that would read too many rows is refused as `AGGREGATE_TOO_WIDE`.',
    complexity: COUNT_COST,
    ...computed((page) => page.column('totalCount')),
  }),
)
