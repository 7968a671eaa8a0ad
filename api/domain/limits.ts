/** Numbers that bound the service, each with its source. */

/** Claims in one optimize call. Interface specification, section 8. */
export const MAX_CLAIM_IDS = 20
/** Legs per route, enforced on-chain too. Interface specification, section 8. */
export const MAX_LEGS = 8
/** Slices per claim. Interface specification, section 8; `MAX_SLICES_PER_CLAIM` in contracts/Types.sol. */
export const MAX_SLICES_PER_CLAIM = 8
/** Interface specification, section 8; days to due count whole days of this length. */
export const SECONDS_PER_DAY = 86_400n
/** Interface specification, section 8. */
export const BPS_DENOMINATOR = 10_000n
/** Lifetime of a route intent. Interface specification, section 8. */
export const ROUTE_INTENT_TTL_SECONDS = 120
/** Maximum time until the deadline of a prepared route. Interface specification, section 8. */
export const PREPARE_DEADLINE_SECONDS = 300
/** A deadline is refused if the time until it is at most this. Interface specification, section 8. */
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
/** Entries of the largest page. A request for more is a 400, not a shorter page. */
export const PAGE_LIMIT_MAX = 200
/** Maximum characters of a cursor. The gateway writes much shorter ones. */
export const CURSOR_LENGTH_MAX = 512

/**
 * Bounds on the shape of JSON in a request: a body, GraphQL variables, a filter in a query string. Our decision. Values
 * are counted over the whole, names of fields excluded; 2000 is also the limit of tokens in a GraphQL document.
 */
export const JSON_VALUES_MAX = 2000
/**
 * Maximum entries of one list or fields of one object: the rows of the largest page. No list in a request needs more.
 */
export const JSON_ENTRIES_MAX = PAGE_LIMIT_MAX
/** Maximum number of objects. GraphQL reads an object once for each field of its type; a filter has up to a hundred. */
export const JSON_OBJECTS_MAX = 200
/** Maximum levels of nested lists and objects. A filter of the deepest permitted nesting has 12, with its variable. */
export const JSON_DEPTH_MAX = 16
/** Maximum characters of a string in GraphQL variables or a filter: twice a cursor, the longest valid value. */
export const VALUE_LENGTH_MAX = 2 * CURSOR_LENGTH_MAX

/** The largest face value that the claim registry takes. */
export const FACE_VALUE_MAX = 2n ** 128n - 1n
/** Decimals of a token, `MAX_DECIMALS` of contracts/TokenRegistry.sol. */
export const TOKEN_DECIMALS = { max: 36 }
/** Decimals of the shares of a vault beyond those of its token, `VIRTUAL_DIGITS` of contracts/FinancingVault.sol. */
export const SHARE_DIGITS = 6
/** Bytes of a symbol or name, `MAX_BYTES` of contracts/Texts.sol, which truncates longer texts. */
export const TOKEN_TEXT_BYTES = { max: 64 }
/** Claim types are numbers from 0 in eight bits. The bitmap of a mandate has one bit for each type. */
export const CLAIM_TYPE_MAX = 255

/** Default time for the registration of an attestation. */
export const ATTESTATION_LIFETIME_SECONDS = 86_400
