/** Limits that other tests hold at their edge, and those that no single request can meet. */
type Test = { readonly file: string; readonly title: string }

const WORK = 'test/graphql/bounded-work.test.ts'
const SIGN_IN = 'test/auth/contract-sign-in.test.ts'
const REPLAYS = 'test/transactions/remembered.test.ts'
const ROOM = 'test/middleware/waiting-room.test.ts'
const WAITS = 'test/projection/watch.test.ts'

export const elsewhere: Readonly<Record<string, Test>> = {
  'api/rest/statements/formats/camt-amount.ts DECIMALS_MAX': {
    file: 'test/statements/formats.test.ts',
    title: 'cuts amounts at five decimals, and its last entry makes the sums right',
  },
  'api/domain/ordinal.ts ORDINAL_MAX': {
    file: 'test/graphql/plan.test.ts',
    title: 'refuses a cursor that no page has, also after a page of the same statement',
  },
  'api/rest/statements/formats/camt-amount.ts DIGITS_MAX': {
    file: 'test/statements/formats.test.ts',
    title: 'is refused for an amount of more than 18 digits',
  },
  'api/rest/statements/statements.ts STATEMENT_ENTRIES_MAX': {
    file: 'test/rest/statements.test.ts',
    title: 'of more entries than the maximum is refused',
  },
  'api/head/bound.ts EVENTS_MAX': {
    file: 'test/head/bound.test.ts',
    title: 'keep at most the maximum, those of wallets with few events first',
  },
  'api/head/bound.ts EVENTS_PER_WALLET_MAX': {
    file: 'test/head/bound.test.ts',
    title: 'keep those of everyone else when one issuer registers 10,000 claims for a wallet',
  },
  'api/head/finality.ts SAMPLES_MAX': {
    file: 'test/head/finality.test.ts',
    title: 'forgets what is long ago',
  },
  'api/head/header.ts BLOCKS_MAX': {
    file: 'test/head/lying-nodes.test.ts',
    title: 'blocks, however far the head is ahead',
  },
  'api/projection/session/plan-cost.ts PLAN_COST_MAX': {
    file: 'test/projection/scale.test.ts',
    title: 'a query whose filters leave its rows to no index is refused before it is read',
  },
  'api/http/connections.ts UNANSWERED_MAX': {
    file: 'test/pipelined.test.ts',
    title: 'close their connection if too many wait, and none of them is begun',
  },
  'api/auth/sign-in-limits.ts CONTRACT_SIGN_INS_MAX': { file: SIGN_IN, title: 'are 16 of a process' },
  'api/auth/sign-in-limits.ts CONTRACT_SIGN_INS_PER_CLIENT': { file: SIGN_IN, title: 'are 4 of one client' },
  'api/graphql/operation/measure/measure.ts SHORT_COST_MAX': {
    file: 'test/middleware/snapshots.test.ts',
    title: 'leave short reads, up to a cost of 3,000, the connection that these have in common',
  },
  'api/auth/siwe.ts RESERVED_ADDRESS_MAX': {
    file: 'test/auth/siwe.test.ts',
    title: 'another reserved address is refused',
  },
  'api/chain/call-limits.ts CALL_GAS_MAX': {
    file: REPLAYS,
    title: 'up to the most that a transaction may use',
  },
  'api/chain/call-limits.ts PERMIT_GAS_MAX': {
    file: 'test/chain/permit-facts.test.ts',
    title: 'each read of a token has a bounded amount of gas',
  },
  'api/chain/call-limits.ts REVERT_BYTES_MAX': {
    file: 'test/chain/revert-data.test.ts',
    title: 'is shown whole up to its limit',
  },
  'api/chain/call-limits.ts SIGN_IN_GAS_MAX': { file: SIGN_IN, title: 'gets a bounded amount of gas' },
  'api/chain/transaction.ts REPLAYED_GAS_USED_MAX': {
    file: REPLAYS,
    title: 'that used more gas than a replay gets',
  },
  'settings/formats.ts OPERATIONS_MAX': {
    file: 'test/config.test.ts',
    title: 'list at most 100 operations',
  },
  'api/config/refusals.ts SECRET_CHARACTERS_MIN': {
    file: 'test/auth/config.test.ts',
    title: 'takes a secret of eight different characters and none of seven',
  },
  'settings/formats.ts SECRET_BYTES_MIN': {
    file: 'test/auth/config.test.ts',
    title: 'is refused with any secret shorter than 32 bytes',
  },
  'api/domain/limits.ts CLAIM_TYPE_MAX': {
    file: 'test/flow/registration-refusals.test.ts',
    title: "['claimType', '256']",
  },
  'api/domain/limits.ts FACE_VALUE_MAX': {
    file: 'test/flow/registration-refusals.test.ts',
    title: 'faceValue: 2n ** 128n',
  },
  'api/domain/limits.ts MAX_CLAIM_IDS': {
    file: 'test/flow/route-optimize.test.ts',
    title: "['claimIds', { claimIds: ids(21) }]",
  },
  'api/domain/limits.ts MAX_LEGS': { file: 'test/contracts/route-rules.test.ts', title: 'with %d legs' },
  'api/domain/limits.ts MAX_ROUTE_LIFETIME_SECONDS': {
    file: 'test/contracts/route-rules.test.ts',
    title: 'has a deadline that is at most an hour away',
  },
  'api/domain/limits.ts MAX_SLICES_PER_CLAIM': {
    file: 'test/flow/route-optimize.test.ts',
    title: 'leaves out a claim without slices',
  },
  'api/errors.ts DETAIL_LENGTH_MAX': {
    file: 'test/errors.test.ts',
    title: 'has all fields in its text, and no text is longer',
  },
  'api/graphql/operation/measure/measure.ts DEPTH_MAX': { file: WORK, title: "['depth'," },
  'api/graphql/operation/measure/measure.ts LINES_MAX': { file: WORK, title: "['lines'," },
  'api/graphql/operation/measure/measure.ts LOCATED_LINES_MAX': {
    file: WORK,
    title: 'in documents of at most 200 lines',
  },
  'api/graphql/operation/measure/measure.ts ROOT_FIELDS_MAX': {
    file: WORK,
    title: 'are at most 12: 13 %s are refused',
  },
  'api/graphql/operation/measure/measure.ts VALIDATION_ERRORS_MAX': {
    file: WORK,
    title: 'report at most 5 errors',
  },
  'api/graphql/operation/measure/document-rules.ts ALIASES_MAX': { file: WORK, title: "['aliases'," },
  'api/graphql/operation/measure/document-rules.ts NAME_LENGTH_MAX': {
    file: WORK,
    title: 'have names of at most 64',
  },
  'api/graphql/operation/measure/document-rules.ts OBJECTS_MAX': {
    file: WORK,
    title: "'objects in arguments',",
  },
  'api/graphql/operation/measure/document-rules.ts REPEATS_MAX': {
    file: WORK,
    title: "'fields of one name',",
  },
  'api/graphql/operation/measure/document-rules.ts SPREADS_MAX': { file: WORK, title: "'fragment spreads'," },
  'api/graphql/kit/filter.ts CONDITIONS_MAX': { file: WORK, title: '100 conditions and branches' },
  'api/graphql/kit/filter.ts VALUES_MAX': { file: WORK, title: '200 values in one list' },
  'api/graphql/operation/measure/introspection-cost.ts INTROSPECTION_COST_MAX': {
    file: WORK,
    title: 'the standard query with everything optional',
  },
  'api/graphql/serve/subscriptions.ts COST_PER_ADDRESS_MAX': {
    file: 'test/graphql/live.test.ts',
    title: 'counts its cost against the client address',
  },
  'api/http/log.ts PATH_MAX': {
    file: 'test/middleware/request-log.test.ts',
    title: 'has the first 200 characters of a path',
  },
  'api/http/log.ts WAITING_MAX': {
    file: 'test/middleware/log.test.ts',
    title: 'but the last 16 KB',
  },
  'api/limits/memory-counts.ts KEYS_MAX': {
    file: 'test/middleware/rate-limit.test.ts',
    title: 'are bounded: a million addresses',
  },
  'api/projection/sql/json.ts ARGUMENTS_MAX': {
    file: 'test/graphql/plan.test.ts',
    title: 'objects of any number of fields',
  },
  'api/projection/sql/one-parent.ts ROWS_MAX': {
    file: 'test/database/one-statement.test.ts',
    title: 'are exact up to 20,000 and beyond',
  },
  'api/projection/tables/activity.ts ACTIVITY_OF_CLAIM_MAX': {
    file: 'test/database/one-statement.test.ts',
    title: 'has the first 100 entries',
  },
  'api/projection/sql/count.ts ROWS_MAX': {
    file: 'test/database/one-statement.test.ts',
    title: 'are counted up to 200,000 of a parent',
  },
  'api/projection/sql/count.ts ROWS_OF_EACH_MAX': {
    file: 'test/database/one-statement.test.ts',
    title: 'are counted up to 10,000 of each parent of a list',
  },
  'api/projection/session/pipeline.ts STATEMENTS_MAX': {
    file: 'test/database/pipeline.test.ts',
    title: 'are 32 at once, and each gets its own answer',
  },
  'api/projection/session/statement.ts PREPARED_TEXT_MAX': {
    file: 'test/database/one-statement.test.ts',
    title: 'are bounded on each connection',
  },
  'api/limits/min-block.ts WAITING_ANONYMOUS_MAX': { file: ROOM, title: 'are at most 500 without a token' },
  'api/limits/min-block.ts WAITING_MAX': { file: ROOM, title: '1,000 in all' },
  'api/limits/min-block.ts WAITING_PER_CLIENT_MAX': {
    file: ROOM,
    title: 'are at most as many of one client address as the limit',
  },
  'api/projection/session/at-block.ts WAIT_AHEAD_MAX': { file: WAITS, title: '42n + WAIT_AHEAD_MAX + 1n' },
  'api/rest/shared/download.ts BYTES_PER_MS_MIN': {
    file: 'test/rest/exports-stream.test.ts',
    title: 'does not end while its client takes data',
  },
  'api/rest/financing-routes/financing-routes.ts PLANS_PER_WALLET': {
    file: 'test/flow/route-abandoned.test.ts',
    title: 'is one of at most four of its wallet',
  },
}

/** With the reason. */
export const internal: Readonly<Record<string, string>> = {
  'api/chain/lens.ts ANSWER_BYTES_MAX': 'the size of the parts of one answer, which is the same in any parts',
  'api/chain/call-limits.ts ANSWER_BYTES_MAX': 'counted by the transport, in bytes as they are on the wire',
  'api/chain/call-limits.ts REMEMBERED_MAX': 'the size of a cache',
  'api/chain/call-limits.ts LOGS_BYTES_MAX': 'counted by the transport, in bytes as they are on the wire',
  'api/head/watch-head.ts BACKOFF_MAX': 'the time between two polls, which no request changes',
  'api/domain/limits.ts CURSOR_LENGTH_MAX': 'no valid cursor is as long; any other is refused at any length',
  'api/chain/block-as-of.ts GUESSES_MAX': 'how a block is found, which no request changes',
  'api/chain/block-as-of.ts KEPT_MAX': 'the size of a cache',
  'api/graphql/operation/plan/plan.ts KEPT_FIELDS_MAX': 'the size of a cache',
  'api/graphql/operation/shape.ts KEPT_DOCUMENT_MAX': 'the size of a cache',
  'api/graphql/operation/shape.ts KEPT_KEY_MAX': 'the size of a cache',
  'api/graphql/operation/shape.ts KEPT_MAX': 'the size of a cache',
  'api/projection/sql/statement.ts STATEMENT_TEXT_MAX':
    'which statements are prepared, which answer the same',
  'api/store/route-intents.ts COUNTED_MAX': 'the rows behind one metric, which no request reads',
  'api/graphql/schema/market/series-request.ts SECONDS_MIN':
    'the length of a period, which no request changes',
}
