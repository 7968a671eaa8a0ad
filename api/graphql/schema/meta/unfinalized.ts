/** Events that are mined and not final. No other field shows them. */
import type { Hex } from 'viem'
import { validationFailed } from '../../../errors.ts'
import type { EventArgument } from '../../../head/event.ts'
import type { Header } from '../../../head/header.ts'
import {
  EVENTS_SHOWN_MAX,
  type EventFilter,
  expectedFinalAt,
  matching,
  type ShownEvent,
  type ShownEvents,
  selectEvents,
} from '../../../head/unfinalized.ts'
import { toPlainString } from '../../../projection/sql/json.ts'
import { builder } from '../../kit/builder.ts'
import { given, notResolved, reading } from '../../kit/declared-read.ts'
import { Account, Claim, Vault } from '../shared/refs.ts'

export const BlockType = builder.objectRef<Header>('Block').implement({
  description: 'A block of the chain, which need not be final.',
  fields: (t) => ({
    number: t.expose('number', { type: 'SafeInt', description: 'Block number.' }),
    hash: t.expose('hash', { type: 'Hash', description: 'Hash of the block.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Block time.' }),
  }),
})

const Argument = builder.objectRef<EventArgument>('EventArgument').implement({
  description: 'An argument of an event.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Name. A field of a struct follows the name of the struct and a point.',
    }),
    type: t.exposeString('type', { description: 'Type by the ABI, such as `uint256`.' }),
    value: t.exposeString('value', {
      description:
        'Value: a decimal number, lowercase hex, `true`, `false` or a text. Commas separate the items of an array.',
    }),
  }),
})

const Event = builder.objectRef<ShownEvent>('UnfinalizedEvent').implement({
  description:
    'An event of the protocol that the projection does not have yet. A reorganization can still remove the event.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the event by the ABI of its contract.' }),
    contract: t.expose('contract', { type: 'Address', description: 'Contract that emitted the event.' }),
    arguments: t.field({
      type: [Argument],
      description: 'Arguments in the order of the ABI.',
      complexity: { field: 1, multiplier: 10 },
      ...given((event: ShownEvent) => [...event.arguments]),
    }),
    wallets: t.field({
      type: ['Address'],
      description:
        'Wallets that the event concerns: those among its arguments, and issuer and beneficiary of its claim.',
      ...given(({ wallets }: ShownEvent) => [...wallets]),
    }),
    claimId: t.field({
      type: 'Hash',
      nullable: true,
      description: 'Claim of the event; null if there is none.',
      ...given(({ claimId }: ShownEvent) => claimId),
    }),
    executionId: t.field({
      type: 'Hash',
      nullable: true,
      description: 'Execution of the event; null if there is none.',
      ...given(({ executionId }: ShownEvent) => executionId),
    }),
    vault: t.field({
      type: 'Address',
      nullable: true,
      description: 'Vault of the event; null if there is none.',
      ...given(({ vault }: ShownEvent) => vault),
    }),
    transactionHash: t.expose('transactionHash', {
      type: 'Hash',
      description: 'Hash of the transaction.',
    }),
    logIndex: t.exposeInt('logIndex', { description: 'Position of the event in its block.' }),
    block: t.field({
      type: BlockType,
      description: 'Block of the event.',
      ...given(({ block }: ShownEvent) => block),
    }),
    confirmations: t.expose('confirmations', {
      type: 'SafeInt',
      description: 'Blocks from that of the event to the latest one, both included.',
    }),
    expectedFinalAt: t.expose('expectedFinalAt', {
      type: 'DateTime',
      description: 'Time at which the block should be final, by `_meta.finalitySeconds`.',
    }),
  }),
})

const Unfinalized = builder.objectRef<ShownEvents>('Unfinalized').implement({
  description:
    'Events after the finalized block of the answer, up to the latest block that this gateway has seen. Newest first.',
  fields: (t) => ({
    head: t.field({
      type: BlockType,
      description: 'The latest block.',
      ...given(({ head }: ShownEvents) => head),
    }),
    expectedFinalAt: t.field({
      type: 'DateTime',
      description: 'Time at which the latest block should be final.',
      ...given((shown: ShownEvents) => expectedFinalAt(shown.head, shown)),
    }),
    truncated: t.exposeBoolean('isTruncated', {
      description:
        'Whether events are missing: beyond `first`, beyond the limits of the view, or in blocks that it does not have.',
    }),
    events: t.field({
      type: [Event],
      description: 'The events, newest first.',
      complexity: { field: 1, multiplier: 1 },
      ...given(({ events }: ShownEvents) => [...events]),
    }),
  }),
})

const EVENTS_DEFAULT = 20

const limit = {
  defaultValue: EVENTS_DEFAULT,
  description: `Number of events, 1 to ${EVENTS_SHOWN_MAX}.`,
}

type First = { first?: number | null | undefined }
type Wanted = First & EventFilter

const cost = ({ first }: First) => ({
  field: 1,
  multiplier: Math.min(first ?? EVENTS_DEFAULT, EVENTS_SHOWN_MAX),
})

export const NULL_MEANING = 'Null while this gateway has no recent view of the latest block.'

/**
 * Reads the events of each object.
 *
 * @param column the key of the object. Default: the arguments alone select the events
 */
function eventsOf(column?: string, toFilter: (key: string) => EventFilter = () => ({})) {
  return reading<Wanted>({
    kind: 'hole',
    followsHead: true,
    ...(column && { needs: (row) => toPlainString(row.column(column), false) }),
    fill: async (keys, { unfinalized }, through, { first, ...filter }) => {
      const view = unfinalized()
      const number = boundedFirst(first ?? EVENTS_DEFAULT)
      return keys.map((key) => {
        const own = { ...filter, ...toFilter(String(key)) }
        return view && selectEvents(view, through.blockNumber, matching(own), number)
      })
    },
  })
}

/** @throws CodedError `VALIDATION_FAILED` */
function boundedFirst(first: number): number {
  if (first >= 1 && first <= EVENTS_SHOWN_MAX) return first
  throw validationFailed([{ path: 'first', message: `must be from 1 to ${EVENTS_SHOWN_MAX}` }])
}

const toHex = (text: string): Hex => `0x${text.slice(2)}`

builder.objectFields(Account, (t) => ({
  unfinalized: t.field({
    type: Unfinalized,
    nullable: true,
    description: `Events that concern the account and are not final. ${NULL_MEANING}`,
    args: { first: t.arg.int(limit) },
    complexity: cost,
    ...eventsOf('address', (address) => ({ wallet: toHex(address) })),
  }),
}))

builder.objectFields(Claim, (t) => ({
  unfinalized: t.field({
    type: Unfinalized,
    nullable: true,
    description: `Events of the claim that are not final. ${NULL_MEANING}`,
    args: { first: t.arg.int(limit) },
    complexity: cost,
    ...eventsOf('id', (id) => ({ claimId: toHex(id) })),
  }),
}))

builder.objectFields(Vault, (t) => ({
  unfinalized: t.field({
    type: Unfinalized,
    nullable: true,
    description: `Events of the vault that are not final. ${NULL_MEANING}`,
    args: { first: t.arg.int(limit) },
    complexity: cost,
    ...eventsOf('address', (address) => ({ vault: toHex(address) })),
  }),
}))

const conditions = builder.args((t) => ({
  wallet: t.field({ type: 'Address', description: 'Only events that concern this wallet.' }),
  claimId: t.field({
    type: 'Hash',
    description: 'Only events of this claim, which can be unfinalized itself.',
  }),
  vault: t.field({
    type: 'Address',
    description: 'Only events of this vault, which can be unfinalized itself.',
  }),
  first: t.int(limit),
}))

const DESCRIPTION = `Events that are mined and not final, which no other field shows. ${NULL_MEANING}`

builder.queryField('unfinalized', (t) =>
  t.field({
    type: Unfinalized,
    nullable: true,
    description: DESCRIPTION,
    args: conditions,
    complexity: cost,
    ...eventsOf(),
  }),
)

builder.subscriptionField('unfinalized', (t) =>
  t.field({
    type: Unfinalized,
    nullable: true,
    description: `${DESCRIPTION} A change of the latest block is also followed by an event of the stream.`,
    args: conditions,
    complexity: cost,
    subscribe: notResolved,
    ...eventsOf(),
  }),
)
