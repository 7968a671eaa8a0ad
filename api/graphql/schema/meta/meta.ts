import type { Unfinalized } from '../../../head/unfinalized.ts'
import { blockScope } from '../../../projection/sql/scope.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { AUDIT_COST, AuditType } from './audit.ts'
import { FinalizedThroughType } from './finalized-through.ts'
import { BlockType, NULL_MEANING } from './unfinalized.ts'

/** A value of the view of the latest block. */
function ofView(value: (view: Unfinalized) => unknown) {
  return reading({
    kind: 'hole',
    followsHead: true,
    fill: async (objects, { unfinalized }) => {
      const view = unfinalized()
      return objects.map(() => view && value(view))
    },
  })
}

const Meta = builder.objectRef<object>('Meta').implement({
  description: 'Metadata of this answer.',
  fields: (t) => ({
    finalizedThrough: t.field({
      type: FinalizedThroughType,
      description:
        'The finalized block of the reads of this answer, as in `extensions.finalizedThrough`; with `asOf`, the block of the past.',
      ...reading({ kind: 'part', scopeOf: () => blockScope }),
    }),
    finalizedHash: t.field({
      type: 'Hash',
      nullable: true,
      description: `Hash of that block. ${NULL_MEANING}`,
      ...reading({
        kind: 'hole',
        fill: async (objects, { unfinalized }, { blockNumber }) => {
          const found = unfinalized()?.headers.find(({ number }) => number === blockNumber)
          return objects.map(() => found?.hash)
        },
      }),
    }),
    latestBlock: t.field({
      type: BlockType,
      nullable: true,
      description: `The latest block, which is not final. Only fields with the name \`unfinalized\` show it. ${NULL_MEANING}`,
      ...ofView((view) => view.head),
    }),
    finalitySeconds: t.field({
      type: 'SafeInt',
      nullable: true,
      description: `Seconds that a block takes to become final: the median of the last blocks, as this gateway observed them. ${NULL_MEANING}`,
      ...ofView((view) => view.finalitySeconds),
    }),
    audit: t.field({
      type: AuditType,
      description: 'Results of the auditor.',
      complexity: AUDIT_COST,
      ...reading({
        kind: 'hole',
        fill: async (needs, { audit }) => {
          const results = await audit()
          return needs.map(() => results)
        },
      }),
    }),
  }),
})

builder.queryField('_meta', (t) =>
  t.field({
    type: Meta,
    description: 'Metadata of this answer.',
    args: asOfArgs,
    ...reading<object>({ kind: 'part' }),
  }),
)
