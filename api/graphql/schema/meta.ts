import type { FinalizedThrough } from '../../projection/snapshot.ts'
import { builder } from '../builder.ts'
import { AUDIT_COST, AuditType } from './audit.ts'
import { FinalizedThroughType } from './finalized-through.ts'

const Meta = builder.objectRef<{ finalizedThrough: FinalizedThrough }>('Meta')

Meta.implement({
  description: 'Metadata of this answer.',
  fields: (t) => ({
    finalizedThrough: t.field({
      type: FinalizedThroughType,
      description: 'The finalized block of all reads of this answer, as in `extensions.finalizedThrough`.',
      resolve: (meta) => meta.finalizedThrough,
    }),
    audit: t.field({
      type: AuditType,
      description: 'Results of the auditor.',
      complexity: AUDIT_COST,
      resolve: (_meta, _args, { operation, audit }) => operation.read(audit),
    }),
  }),
})

builder.queryField('_meta', (t) =>
  t.field({
    type: Meta,
    description: 'Metadata of this answer.',
    resolve: async (_root, _args, { operation }) => ({
      finalizedThrough: await operation.finalizedThrough(),
    }),
  }),
)
