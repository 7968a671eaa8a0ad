import type { FinalizedThrough } from '../../projection/snapshot.ts'
import { builder } from '../builder.ts'

export const FinalizedThroughType = builder.objectRef<FinalizedThrough>('FinalizedThrough')
const Meta = builder.objectRef<{ finalizedThrough: FinalizedThrough }>('Meta')

FinalizedThroughType.implement({
  description: 'A finalized block through which the projection is complete.',
  fields: (t) => ({
    blockNumber: t.expose('blockNumber', { type: 'SafeInt', description: 'Its number.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Its time.' }),
  }),
})

Meta.implement({
  description: 'About this answer.',
  fields: (t) => ({
    finalizedThrough: t.field({
      type: FinalizedThroughType,
      description:
        'The finalized block that all of this answer was read at; `extensions.finalizedThrough` says it too.',
      resolve: (meta) => meta.finalizedThrough,
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
