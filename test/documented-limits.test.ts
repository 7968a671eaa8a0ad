/** docs/limits.md has the limits and the defaults of the settings that the code has. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  CLOCK_SKEW_SECONDS,
  CONTRACT_SIGN_INS_MAX,
  CONTRACT_SIGN_INS_PER_CLIENT,
  MESSAGE_FIELDS_LENGTH_MAX,
  MESSAGE_LENGTH_MAX,
  NONCE_LIFETIME_SECONDS,
  SIGNATURE_LENGTH_MAX,
  TOKEN_LIFETIME_SECONDS,
} from '../api/auth/sign-in-limits.ts'
import {
  CLAIM_TYPE_MAX,
  CURSOR_LENGTH_MAX,
  JSON_DEPTH_MAX,
  JSON_ENTRIES_MAX,
  JSON_OBJECTS_MAX,
  JSON_VALUES_MAX,
  MAX_CLAIM_IDS,
  MAX_LEGS,
  MAX_SLICES_PER_CLAIM,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  PREPARE_DEADLINE_SECONDS,
  ROUTE_DEADLINE_SECONDS,
  ROUTE_INTENT_TTL_SECONDS,
  VALUE_LENGTH_MAX,
} from '../api/domain/limits.ts'
import { FIELD_ERRORS_MAX } from '../api/errors.ts'
import { ALIASES_MAX } from '../api/graphql/operation/measure/document-rules.ts'
import {
  BREADTH_MAX,
  COST_MAX,
  DEPTH_MAX,
  ROOT_FIELDS_MAX,
  SUBSCRIPTION_COST_MAX,
  TOKENS_MAX,
  VALIDATION_ERRORS_MAX,
} from '../api/graphql/operation/measure/measure.ts'
import { PERIODS_DEFAULT, PERIODS_MAX } from '../api/graphql/schema/market/maturities.ts'
import { MONTHS_DEFAULT, MONTHS_MAX } from '../api/graphql/schema/market/payment-record.ts'
import { DIMENSIONS_MAX } from '../api/graphql/schema/shared/aggregate.ts'
import { ISSUERS_DEFAULT } from '../api/graphql/schema/vaults/concentration.ts'
import { EVENTS_MAX, EVENTS_PER_WALLET_MAX } from '../api/head/bound.ts'
import { BLOCKS_MAX } from '../api/head/header.ts'
import { EVENTS_SHOWN_MAX } from '../api/head/unfinalized.ts'
import { UNANSWERED_MAX } from '../api/http/connections.ts'
import { NETWORKS } from '../api/limits/client-address.ts'
import { IF_NONE_MATCH_LENGTH_MAX } from '../api/limits/header-limits.ts'
import { WAITING_ANONYMOUS_MAX, WAITING_MAX, WAITING_PER_CLIENT_MAX } from '../api/limits/min-block.ts'
import { UNREAD_BYTES } from '../api/limits/unread-answers.ts'
import { PLAN_COST_MAX } from '../api/projection/session/plan-cost.ts'
import { PLANS_PER_WALLET } from '../api/rest/financing-routes/financing-routes.ts'
import { gatewaySettings } from '../settings/gateway/index.ts'

const text = readFileSync(join(import.meta.dirname, '../docs/limits.md'), 'utf8')
const rows = [...text.matchAll(/^\| (.+?) \| (.+?) \|(?: (.+?) \|)?$/gm)].map(([, name, value, setting]) => ({
  name,
  value: value?.replaceAll(',', ''),
  setting: setting?.replaceAll('`', ''),
}))
const { min, max, default: standard } = ROUTE_DEADLINE_SECONDS

describe('docs/limits.md', () => {
  it.each([
    ['values in a JSON body or in variables', JSON_VALUES_MAX],
    ['objects in a JSON body or in variables', JSON_OBJECTS_MAX],
    ['entries of one JSON list or object', JSON_ENTRIES_MAX],
    ['levels of JSON', JSON_DEPTH_MAX],
    ['characters of a text in variables or a filter', VALUE_LENGTH_MAX],
    ['characters of a text in a JSON body of REST', SIGNATURE_LENGTH_MAX],
    ['faults that one `VALIDATION_FAILED` names', FIELD_ERRORS_MAX],
    ['characters of `If-None-Match`', IF_NONE_MATCH_LENGTH_MAX],
    ['tokens', TOKENS_MAX],
    ['aliases', ALIASES_MAX],
    ['root fields', ROOT_FIELDS_MAX],
    ['planner cost of the pages of a query', PLAN_COST_MAX],
    ['depth', DEPTH_MAX],
    ['breadth', BREADTH_MAX],
    ['cost of a query', COST_MAX],
    ['cost of a subscription', SUBSCRIPTION_COST_MAX],
    ['validation errors in one answer', VALIDATION_ERRORS_MAX],
    ['page size', `1 to ${PAGE_LIMIT_MAX}; default ${PAGE_LIMIT_DEFAULT}`],
    ['characters of a cursor', CURSOR_LENGTH_MAX],
    ['dimensions of `groupBy`', DIMENSIONS_MAX],
    ['months of `cohorts`', `1 to ${MONTHS_MAX}; default ${MONTHS_DEFAULT}`],
    ['periods of `maturities`', `1 to ${PERIODS_MAX}; default ${PERIODS_DEFAULT}`],
    ['issuers of `byIssuer`', `1 to ${PAGE_LIMIT_MAX}; default ${ISSUERS_DEFAULT}`],
    ['blocks from the latest one back', BLOCKS_MAX],
    ['events of one gateway', EVENTS_MAX],
    ['events of one kind and one wallet', EVENTS_PER_WALLET_MAX],
    ['events of one answer', `1 to ${EVENTS_SHOWN_MAX}; default 20`],
    ['requests of one client address that wait for the block of `X-Min-Block`', WAITING_PER_CLIENT_MAX],
    ['requests of one gateway that wait for the block of `X-Min-Block`', WAITING_MAX],
    ['those of them without a token', WAITING_ANONYMOUS_MAX],
    ['requests of one connection without a complete answer', UNANSWERED_MAX],
    ['unread bytes of the answers to one IPv4 address or IPv6 network of 48 bits', UNREAD_BYTES.perAddress],
    [
      'unread bytes of the answers of one gateway, shared equally by the addresses and networks that have any',
      UNREAD_BYTES.max,
    ],
    ['concurrent requests to plan a route, of one wallet', PLANS_PER_WALLET],
    ['concurrent requests to plan a route, of one client address', 2 * PLANS_PER_WALLET],
    ['sign-ins with contract wallets, of one client address', CONTRACT_SIGN_INS_PER_CLIENT],
    ['sign-ins with contract wallets, of one gateway', CONTRACT_SIGN_INS_MAX],
    ['seconds for which a nonce is valid', NONCE_LIFETIME_SECONDS],
    ['seconds for which a token is valid', TOKEN_LIFETIME_SECONDS],
    ['seconds by which the clock of a wallet may differ', CLOCK_SKEW_SECONDS],
    ['characters of a sign-in message', MESSAGE_LENGTH_MAX],
    ['characters of a sign-in message besides its statement and resources', MESSAGE_FIELDS_LENGTH_MAX],
    ['characters of a signature', SIGNATURE_LENGTH_MAX],
    ['claims of a route', MAX_CLAIM_IDS],
    ['legs of a route', MAX_LEGS],
    ['slices of a claim', MAX_SLICES_PER_CLAIM],
    ['seconds for which an optimized route can be prepared', ROUTE_INTENT_TTL_SECONDS],
    ['seconds from the preparation of a route to its deadline', PREPARE_DEADLINE_SECONDS],
    ['`routeDeadlineSeconds`, `deadlineSeconds`', `${min} to ${max}; default ${standard}`],
    [
      '`…-network`: an IPv6 network, as a multiple of the limit of one address',
      NETWORKS.slice(1)
        .map(({ times }) => times)
        .join(' and '),
    ],
    ['claim types', `0 to ${CLAIM_TYPE_MAX}`],
  ])('states the limit of %s', (name, limit) => {
    expect(rows.filter((row) => row.name === name).map(({ value }) => value)).toEqual([`${limit}`])
  })

  it('states the default of each setting that it names', () => {
    const needed = { DATABASE_URL: 'postgres://a', RPC_URLS: 'http://a', CHAIN_ID: '1' }
    const defaults = new Map(Object.entries(gatewaySettings.parse(needed)))
    const set = rows.filter(({ setting }) => defaults.has(setting ?? ''))
    expect(set.length).toBeGreaterThan(18)
    for (const { setting = '', value } of set)
      expect([setting, value]).toEqual([setting, `${defaults.get(setting)}`])
  })
})
