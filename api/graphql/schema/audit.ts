import { type Audit, type AuditDifference, DIFFERENCES_SHOWN } from '../../projection/audit.ts'
import { builder } from '../builder.ts'
import { FinalizedThroughType } from './finalized-through.ts'

const AuditorState = builder.enumType('AuditorState', {
  description: 'Whether the auditor compares the projection with the chain.',
  values: {
    RUNNING: { description: 'It does.' },
    STOPPED: { description: 'It did, and its last look is too old. The differences are those of that look.' },
    ABSENT: { description: 'It never ran.' },
  } satisfies Record<Audit['state'], object>,
})

const DifferenceKind = builder.enumType('AuditDifferenceKind', {
  description: 'What a difference means.',
  values: {
    MISSING_LOGS: { description: 'The chain proves events that the projection lacks.' },
    WRONG_VALUE: { description: 'A row says something else than the chain.' },
  } satisfies Record<AuditDifference['kind'], object>,
})

const Difference = builder.objectRef<AuditDifference>('AuditDifference').implement({
  description: 'One fact of the projection that is not the fact of the chain.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DifferenceKind, description: 'What it means.' }),
    entity: t.exposeString('entity', { description: 'Of which table.' }),
    key: t.exposeString('key', {
      description: 'Of which row: the parts of its key with colons between them.',
    }),
    field: t.exposeString('field', {
      description:
        'A column, a count or sum of rows that belong to the row, or `row` for the row as a whole.',
    }),
    projected: t.exposeString('projected', {
      nullable: true,
      description: 'As projected; null where nothing is.',
    }),
    onChain: t.exposeString('onChain', {
      nullable: true,
      description: 'As the chain has it; null where it has nothing.',
    }),
    block: t.expose('block', { type: 'SafeInt', description: 'Finalized block that was compared last.' }),
    firstSeen: t.expose('firstSeen', { type: 'DateTime', description: 'When it was found.' }),
  }),
})

/** Cost: two statements in the snapshot. */
export const AUDIT_COST = 5

export const AuditType = builder.objectRef<Audit>('Audit').implement({
  description: 'What an independent comparison of the projection with the chain has found.',
  fields: (t) => ({
    state: t.expose('state', { type: AuditorState, description: 'Whether it runs.' }),
    through: t.field({
      type: FinalizedThroughType,
      nullable: true,
      description: 'The finalized block through which every change is compared; null before the first look.',
      resolve: ({ through }) => through,
    }),
    at: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the last look; null before the first.',
      resolve: ({ at }) => at,
    }),
    differenceCount: t.exposeInt('differenceCount', { description: 'Differences that are open.' }),
    missingLogCount: t.exposeInt('missingLogCount', {
      description: 'Those of them that prove missing events.',
    }),
    differences: t.field({
      type: [Difference],
      description: `The first ${DIFFERENCES_SHOWN}: missing events, then the longest known.`,
      complexity: { field: 1, multiplier: DIFFERENCES_SHOWN },
      resolve: ({ differences }) => differences,
    }),
  }),
})
