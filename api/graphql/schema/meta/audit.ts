import { type Audit, type AuditDifference, DIFFERENCES_SHOWN } from '../../../projection/tables/audit.ts'
import { builder } from '../../kit/builder.ts'
import { given } from '../../kit/declared-read.ts'
import { FinalizedThroughType } from './finalized-through.ts'

const AuditorState = builder.enumType('AuditorState', {
  description: 'Whether the auditor compares the projection with the chain.',
  values: {
    RUNNING: { description: 'The auditor runs.' },
    STOPPED: { description: 'The last round is too old. The differences are those of that round.' },
    ABSENT: { description: 'The auditor has never run.' },
  } satisfies Record<Audit['state'], object>,
})

const DifferenceKind = builder.enumType('AuditDifferenceKind', {
  description: 'Kind of difference.',
  values: {
    MISSING_LOGS: { description: 'The chain proves events that the projection lacks.' },
    WRONG_VALUE: { description: 'A row differs from the chain.' },
  } satisfies Record<AuditDifference['kind'], object>,
})

const Difference = builder.objectRef<AuditDifference>('AuditDifference').implement({
  description: 'A value of the projection that differs from the chain.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DifferenceKind, description: 'Kind of difference.' }),
    entity: t.exposeString('entity', { description: 'Table of the row.' }),
    key: t.exposeString('key', {
      description: 'Key of the row; its parts are joined by colons.',
    }),
    field: t.exposeString('field', {
      description: 'Column, count or sum that differs, or `row` for the whole row.',
    }),
    projected: t.exposeString('projected', {
      nullable: true,
      description: 'Value in the projection; null if there is none.',
    }),
    onChain: t.exposeString('onChain', {
      nullable: true,
      description: 'Value on chain; null if there is none.',
    }),
    block: t.expose('block', { type: 'SafeInt', description: 'Finalized block of the last comparison.' }),
    firstSeen: t.expose('firstSeen', {
      type: 'DateTime',
      description: 'Time at which the auditor found the difference.',
    }),
  }),
})

/** Cost: two statements in the snapshot. */
export const AUDIT_COST = 150

export const AuditType = builder.objectRef<Audit>('Audit').implement({
  description: 'Results of the auditor, which compares the projection with the chain independently.',
  fields: (t) => ({
    state: t.expose('state', { type: AuditorState, description: 'State of the auditor.' }),
    through: t.field({
      type: FinalizedThroughType,
      nullable: true,
      description:
        'The finalized block through which all changes have been compared; null before the first round.',
      ...given(({ through }: Audit) => through),
    }),
    at: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the last audit round; null before the first.',
      ...given(({ at }: Audit) => at),
    }),
    differenceCount: t.exposeInt('differenceCount', { description: 'Number of open differences.' }),
    missingLogCount: t.exposeInt('missingLogCount', {
      description: 'Number of open differences that prove missing events.',
    }),
    differences: t.field({
      type: [Difference],
      description: `The first ${DIFFERENCES_SHOWN} differences: missing events first, then by age.`,
      complexity: { field: 1, multiplier: DIFFERENCES_SHOWN },
      ...given(({ differences }: Audit) => differences),
    }),
  }),
})
