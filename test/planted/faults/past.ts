/** Faults in reads as of a block of the past. */
import type { PlantedFault } from '../fault.ts'

export const pastFaults: readonly PlantedFault[] = [
  {
    name: 'the events of the block itself are not of its past',
    in: 'valueAt',
    find: 'firstOrdinalOf(blockNumber + 1n)',
    replace: 'firstOrdinalOf(blockNumber)',
    caughtBy: ['agreement', 'as-of'],
  },
  {
    name: 'the value of a vault as of a block has the later events of its day',
    in: 'pastValueDays',
    find: `own.\${scheduled})`,
    replace: `own.\${line})`,
    caughtBy: ['agreement'],
  },
  {
    name: 'a payment on the day on which a claim is due counts twice as of a block of the day',
    in: 'pastDueDays',
    find: ` and slice.due_at < \${at.day}`,
    replace: '',
    caughtBy: ['agreement'],
  },
  {
    name: 'a claim that was stopped when it was partially financed was revoked',
    in: 'pastClaims',
    find: "when financed.slices = 0 then 'REVOKED' else 'CLOSED'",
    replace: "when financed.slices = 0 then 'REVOKED' else 'REVOKED'",
    caughtBy: ['agreement'],
  },
  {
    name: 'a block with exactly the time is not until then',
    in: 'blockUntil',
    find: 'if (block.timestamp > time) high = block',
    replace: 'if (block.timestamp >= time) high = block',
    caughtBy: ['block-as-of'],
  },
  {
    name: 'a time of a node is believed that does not fit the events around it',
    in: 'createBlockAsOf',
    find: 'if (!isBetween(timestamp, around)) throw misplaced(blockNumber)',
    replace: '',
    caughtBy: ['block-as-of'],
  },
  {
    name: 'a cursor continues as of another block',
    in: 'toPast',
    find: `isSame: sql\`\${given}::text = \${block}\``,
    replace: `isSame: sql\`\${given}::text is not null\``,
    caughtBy: ['as-of'],
  },
  {
    name: 'a block that the projection has not reached has a past',
    in: 'valueAsOf',
    find: `\${at.block} <= substr(state.checkpoint, 27, 16)::numeric and \${at.time} <= left(state.checkpoint, 10)::numeric`,
    replace: `\${at.block} >= 0 and state.checkpoint > ''`,
    caughtBy: ['as-of'],
  },
  {
    name: 'balances as of a block are those of the last finalized one',
    in: 'fill',
    find: 'blocks.get(past) ?? readout.finalizedThrough',
    replace: 'readout.finalizedThrough',
    caughtBy: ['as-of'],
  },
  {
    name: 'a revocation does not change a past claim',
    in: 'pastClaims',
    area: 'api/projection',
    find: `paid.\${sql.raw(column)}, revoked.\${sql.raw(column)})`,
    replace: `paid.\${sql.raw(column)})`,
    caughtBy: ['past-tables'],
  },
  {
    name: 'the lines of a day in the past use a change of an earlier day',
    in: 'pastValueDays',
    area: 'api',
    find: `where \${isToday} and last.at >= \${at.day}`,
    replace: `where \${isToday}`,
    caughtBy: ['agreement'],
  },
]
