import type { FinalizedThrough } from '../../../projection/session/state.ts'
import { builder } from '../../kit/builder.ts'

export const FinalizedThroughType = builder.objectRef<FinalizedThrough>('FinalizedThrough').implement({
  description: 'A finalized block through which the projection is complete.',
  fields: (t) => ({
    blockNumber: t.expose('blockNumber', { type: 'SafeInt', description: 'Block number.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Block time.' }),
  }),
})
