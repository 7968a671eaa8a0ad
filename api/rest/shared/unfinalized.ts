/** Events that are mined and not final, as REST presents them. */
import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash } from '../../domain/hash.ts'
import { wholeNumber } from '../../domain/integer.ts'
import { formatTime, time } from '../../domain/time.ts'
import { ARGUMENT_LENGTH } from '../../head/event.ts'
import type { Header } from '../../head/header.ts'
import {
  EVENTS_SHOWN_MAX,
  expectedFinalAt,
  type ShownEvent,
  type ShownEvents,
} from '../../head/unfinalized.ts'
import { orNull } from './answer.ts'

const block = z.object({ number: wholeNumber, hash, timestamp: time }).openapi('Block')

/** Characters of a name of the ABI: those of structs have the names of two. */
const abiName = z.string().max(64)
/** Arguments of an event, with the fields of its structs. */
const ARGUMENTS = 32

const event = z
  .object({
    name: abiName.openapi({ description: 'Name of the event by the ABI of its contract.' }),
    contract: address,
    arguments: z
      .array(z.object({ name: abiName, type: abiName, value: z.string().max(ARGUMENT_LENGTH) }))
      .max(ARGUMENTS)
      .openapi({ description: 'Arguments in the order of the ABI, with their types by the ABI.' }),
    wallets: z.array(address).max(ARGUMENTS).openapi({ description: 'Wallets that the event concerns.' }),
    claimId: orNull(hash),
    executionId: orNull(hash),
    vault: orNull(address),
    transactionHash: hash,
    logIndex: wholeNumber,
    block,
    confirmations: wholeNumber,
    expectedFinalAt: time.openapi({ description: 'Time at which the block should be final.' }),
  })
  .openapi('UnfinalizedEvent', {
    description: 'An event that a reorganization can still remove.',
  })

export const unfinalized = z
  .object({
    head: block,
    expectedFinalAt: time.openapi({ description: 'Time at which the latest block should be final.' }),
    truncated: z.boolean().openapi({
      description:
        'Whether events are missing: beyond the limits, or in blocks that this gateway has not read.',
    }),
    events: z.array(event).max(EVENTS_SHOWN_MAX).openapi({ description: 'The events, newest first.' }),
  })
  .openapi('Unfinalized', {
    description:
      'Events after a finalized block, up to the latest block that this gateway has seen. No other part of an answer depends on them.',
  })

export const pendingChanges = orNull(unfinalized).openapi({
  description:
    'Events after `blockNumber` that change what this answer was made from, and are not final. Null while this gateway has no recent view of the latest block.',
})

export function presentUnfinalized(shown: ShownEvents): z.output<typeof unfinalized> {
  return {
    head: presentBlock(shown.head),
    expectedFinalAt: formatTime(expectedFinalAt(shown.head, shown)),
    truncated: shown.isTruncated,
    events: shown.events.map(presentEvent),
  }
}

function presentEvent({ claimId, executionId, vault, block, ...own }: ShownEvent): z.output<typeof event> {
  return {
    name: own.name,
    contract: own.contract,
    arguments: [...own.arguments],
    wallets: [...own.wallets],
    claimId: claimId ?? null,
    executionId: executionId ?? null,
    vault: vault ?? null,
    transactionHash: own.transactionHash,
    logIndex: own.logIndex,
    block: presentBlock(block),
    confirmations: Number(own.confirmations),
    expectedFinalAt: formatTime(own.expectedFinalAt),
  }
}

function presentBlock({ number, hash, timestamp }: Header): z.output<typeof block> {
  return { number: Number(number), hash, timestamp: formatTime(timestamp) }
}

/** @param shown undefined without a recent view */
export function presentPending(shown: ShownEvents | undefined): z.output<typeof pendingChanges> {
  return shown ? presentUnfinalized(shown) : null
}
