import { blockScope } from '../../../projection/sql/scope.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { AUDIT_COST, AuditType } from './audit.ts'
import { FinalizedThroughType } from './finalized-through.ts'

const Meta = builder.objectRef<object>('Meta').implement({
  description: 'Metadata of this answer.',
  fields: (t) => ({
    finalizedThrough: t.field({
      type: FinalizedThroughType,
      description: 'The finalized block of all reads of this answer, as in `extensions.finalizedThrough`.',
      ...reading({ kind: 'part', scopeOf: () => blockScope }),
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
  t.field({ type: Meta, description: 'Metadata of this answer.', ...reading({ kind: 'part' }) }),
)
