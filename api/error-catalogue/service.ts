/** Limits of clients, and states of the service (status 429 and 5xx). */
import type { CatalogueEntry } from './entry.ts'

export const serviceErrors = {
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The wallet or the client address has used up its requests of the window, or its budget for the cost of queries.',
    fix: 'Wait for the seconds of `Retry-After`. Subscribe instead of polling, or select fewer fields and smaller pages.',
    isRetryable: true,
  },
  TOO_MANY_SIGN_INS: {
    status: 429,
    title: 'The client has too many concurrent sign-ins',
    cause: 'The client has the maximum of sign-ins with contract wallets under way.',
    fix: 'Wait for the answers of the others.',
    isRetryable: true,
  },
  TOO_MANY_READS: {
    status: 429,
    title: 'The client has too many concurrent reads',
    cause: 'The client has the maximum of reads under way and waiting.',
    fix: 'Wait for the answers of the others; send fewer at once.',
    isRetryable: true,
  },
  ANSWERS_UNREAD: {
    status: 429,
    title: 'Too many bytes of answers are unread',
    cause: 'The client has not read the answers to its earlier requests.',
    fix: 'Read each answer, then send the next request.',
    isRetryable: true,
  },
  TOO_MANY_EXPORTS: {
    status: 429,
    title: 'The client has too many concurrent exports',
    cause: 'The client has the maximum of downloads under way.',
    fix: 'Wait for the end of a download.',
    isRetryable: true,
  },
  TOO_MANY_SUBSCRIPTIONS: {
    status: 429,
    title: 'The client has too many subscriptions',
    cause:
      'The client has the maximum of subscriptions open, or those of its address would cost more than the maximum together.',
    fix: 'Close one, select fewer fields, or several in one subscription.',
    isRetryable: true,
  },
  INTERNAL: {
    status: 500,
    title: 'The service failed',
    cause: 'A fault of the gateway.',
    fix: 'Try again once. Report the `requestId` if it persists.',
    isRetryable: true,
  },
  SHUTTING_DOWN: {
    status: 503,
    title: 'The gateway is shutting down',
    cause: 'The operator stops or replaces this gateway.',
    fix: 'Send the request again after the seconds of `Retry-After`, or subscribe again; another gateway answers.',
    isRetryable: true,
  },
  NOT_READY: {
    status: 503,
    title: 'The first index is not complete yet',
    cause: 'The indexer has not completed the first index of the chain.',
    fix: 'Wait for the seconds of `Retry-After`. `/api/v1/health/ready` shows the state.',
    isRetryable: true,
  },
  PROJECTION_BEHIND: {
    status: 503,
    title: 'The projection is behind the required block',
    cause:
      'The projection has not reached the block of `X-Min-Block` or of an execution, or is too far behind the chain.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
  PROJECTION_DIFFERS: {
    status: 503,
    title: 'The projection differs from the chain',
    cause:
      'The auditor has found differences between projection and chain that make the gateway unready: by default, events that are proven missing. Only `/api/v1/health/ready` answers it.',
    fix: 'Do not rely on reads, which are still answered. Operators: see docs/operations.md.',
    isRetryable: true,
  },
  SIGN_INS_BUSY: {
    status: 503,
    title: 'Too many concurrent sign-ins with contract wallets',
    cause: 'All clients together have the maximum of sign-ins with contract wallets under way.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
  READS_BUSY: {
    status: 503,
    title: 'All connections for reads are in use',
    cause: 'All connections of the gateway to the database are in use.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
  EXPORTS_BUSY: {
    status: 503,
    title: 'The limit of concurrent exports is reached',
    cause:
      'All clients together have the maximum of downloads under way, or those without a token have theirs.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request, with a token if it had none.',
    isRetryable: true,
  },
  SUBSCRIPTIONS_EXHAUSTED: {
    status: 503,
    title: 'The limit of subscriptions is reached',
    cause: 'All clients together have the maximum of subscriptions open.',
    fix: 'Wait for the seconds of `Retry-After`, then subscribe again.',
    isRetryable: true,
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    title: 'The database does not answer',
    cause: 'The database refuses connections or writes, or does not answer in time.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
  OPTIMIZER_BUSY: {
    status: 503,
    title: 'Too many concurrent optimizations',
    cause:
      'The queue of the optimizer is full, or the wallet or client address has the maximum of routes being planned.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
  OPTIMIZER_EXHAUSTED: {
    status: 503,
    title: 'Neither a route nor a proof that there is none was found',
    cause: 'The work budget ended before a route was found, or a proof that there is none.',
    fix: 'Use at most `knownAdvance` as the target, the advance of a route that was found, or fewer claims. No route advances more than `advanceAtMost`.',
    isRetryable: true,
  },
  CHAIN_BEHIND: {
    status: 503,
    title: 'The last finalized block is not recent enough',
    cause: 'The finalized block of the chain is before `X-Min-Block`, or too old to plan with.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    title: 'The chain does not answer',
    cause: 'No node of the chain answers, or their answers cannot be used.',
    fix: 'Wait for the seconds of `Retry-After`, then send the same request.',
    isRetryable: true,
  },
} as const satisfies Record<string, CatalogueEntry>
