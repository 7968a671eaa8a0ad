import type { FinalizedThrough } from '../../projection/snapshot.ts'
import { builder } from '../builder.ts'
import { AUDIT_COST, AuditType } from './audit.ts'
import { FinalizedThroughType } from './finalized-through.ts'

const Meta = builder.objectRef<{ finalizedThrough: FinalizedThrough }>('Meta')

Meta.implement({
  description: 'About this answer.',
  fields: (t) => ({
    finalizedThrough: t.field({
      type: FinalizedThroughType,
      description:
        'The finalized block that all of this answer was read at; `extensions.finalizedThrough` says it too.',
      resolve: (meta) => meta.finalizedThrough,
    }),
    audit: t.field({
      type: AuditType,
      description: 'What the comparison of the projection with the chain has found so far.',
      complexity: AUDIT_COST,
      resolve: (_meta, _args, { operation, audit }) => operation.read(audit),
    }),
  }),
})

builder.queryField('_meta', (t) =>
  t.field({
    type: Meta,
    description: 'What this answer was read at.',
    resolve: async (_root, _args, { operation }) => ({
      finalizedThrough: await operation.finalizedThrough(),
    }),
  }),
)
