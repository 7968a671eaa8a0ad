/** Numbers that bound the service, each with its source. */

/** Claims in one optimize call. Interface specification, section 8. */
export const MAX_CLAIM_IDS = 20
/** Legs per route, enforced on-chain too. Interface specification, section 8. */
export const MAX_LEGS = 8
/** Slices per claim. Interface specification, section 8; `MAX_SLICES_PER_CLAIM` in contracts/Types.sol. */
export const MAX_SLICES_PER_CLAIM = 8
/** Interface specification, section 8; days to due count whole days of this length. */
export const SECONDS_PER_DAY = 86_400n
/** From then on after the due date, any wallet may impair. `PUBLIC_GRACE_PERIOD` of contracts/FinancingVault.sol. */
export const PUBLIC_GRACE_SECONDS = 90n * SECONDS_PER_DAY
/** Interface specification, section 8. */
export const BPS_DENOMINATOR = 10_000n
/** Lifetime of a route intent. Interface specification, section 8. */
export const ROUTE_INTENT_TTL_SECONDS = 120
/** A prepared route's deadline is at most this far away. Interface specification, section 8. */
export const PREPARE_DEADLINE_SECONDS = 300
/** A deadline this near or nearer is refused. Interface specification, section 8. */
export const DEADLINE_MARGIN_SECONDS = 30
/**
 * `MAX_ROUTE_LIFETIME` of contracts/FinancingRouter.sol: a block executes routes whose deadline is at most this far
 * away.
 */
export const MAX_ROUTE_LIFETIME_SECONDS = 3600
/** Bounds and default of `routeDeadlineSeconds`. The specification leaves them open; these are our decision. */
export const ROUTE_DEADLINE_SECONDS = { min: 60, default: 300, max: MAX_ROUTE_LIFETIME_SECONDS }

/** Entries of a page when the caller names no limit. The specification leaves pages open; this is our decision. */
export const PAGE_LIMIT_DEFAULT = 50
/** Entries of the largest page; more is a 400 rather than a silently shorter page. */
export const PAGE_LIMIT_MAX = 200
/** Characters of a cursor; the longest one we write stays far below. */
export const CURSOR_LENGTH_MAX = 512

/**
 * Bounds on the shape of JSON in a request: a body, GraphQL variables, a filter in a query string. Our decision. Values
 * are counted over the whole, names of fields excluded; 2000 is also the limit of tokens in a GraphQL document.
 */
export const JSON_VALUES_MAX = 2000
/**
 * Entries of one list or fields of one object: as many as the largest page has rows, which no list in a request
 * exceeds.
 */
export const JSON_ENTRIES_MAX = PAGE_LIMIT_MAX
/** Objects in all: GraphQL reads each once for every field of its type, of which a filter has up to a hundred. */
export const JSON_OBJECTS_MAX = 200
/** Levels of lists and objects in each other. A filter of the deepest permitted nesting has 12, with its variable. */
export const JSON_DEPTH_MAX = 16
/** Characters of one string in GraphQL variables or in a filter: twice the longest value that is accepted, a cursor. */
export const VALUE_LENGTH_MAX = 2 * CURSOR_LENGTH_MAX

/** The largest face value that the claim registry takes. */
export const FACE_VALUE_MAX = 2n ** 128n - 1n
/** Decimals of a token, `MAX_DECIMALS` of contracts/TokenRegistry.sol. */
export const TOKEN_DECIMALS = { max: 36 }
/** Bytes of a token's symbol or name, `MAX_TEXT` of contracts/TokenRegistry.sol, which cuts off the rest. */
export const TOKEN_TEXT_BYTES = { max: 64 }
/** Claim types are counted from 0 in eight bits: a mandate's bitmap has a bit for each. */
export const CLAIM_TYPE_MAX = 255

/** Default time for the registration of an attestation. */
export const ATTESTATION_LIFETIME_SECONDS = 86_400
