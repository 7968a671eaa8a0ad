/** Facts of plans beside their statements: answers that may be kept, those that follow the latest block, and holes. */
import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { plan } from '../../api/graphql/operation/plan/plan.ts'
import { prepareOperation } from '../../api/graphql/operation/run.ts'
import { schema } from '../../api/graphql/schema.ts'
import { loadLabels } from '../../deployments/labels.ts'

const GATEWAY = { labels: loadLabels(31_337), router: `0x${'11'.repeat(20)}` } as const
const WALLETS = [`0x${'22'.repeat(20)}`, `0x${'33'.repeat(20)}`]
const ID = `0x${'44'.repeat(32)}`
const ACCOUNT = `account(address: "${WALLETS[0]}")`

const planOf = (query: string | ReturnType<typeof parse>, variableValues: Record<string, unknown> = {}) => {
  const document = typeof query === 'string' ? parse(query) : query
  return plan(prepareOperation({ schema, document, variableValues }).shape, GATEWAY)
}

it.each([
  [true, `${ACCOUNT} { claims(first: 1) { totalCount } }`],
  [true, '_meta { finalizedThrough { blockNumber } }'],
  [false, 'viewer { address }'],
  [false, '_meta { latestBlock { number } }'],
  [false, `${ACCOUNT} { balances { balance } }`],
  [false, `execution(executionId: "${ID}") { status }`],
  [false, `transaction(hash: "${ID}") { status }`],
  [false, 'claims(first: 1, asOf: { block: 1 }) { totalCount }'],
])('the answer depends on request and block alone: %s for %s', (isPure, fields) => {
  expect(planOf(`{ router { paused } ${fields} }`).isPure).toBe(isPure)
})

const BALANCES = 'balances { balance }'
const EVENTS = 'unfinalized { truncated }'

it.each([
  [false, BALANCES],
  [true, EVENTS],
  [true, `${EVENTS} ${BALANCES}`],
  [true, `${BALANCES} ${EVENTS}`],
])('a subscription follows the latest block: %s for %s of an account', (followsHead, fields) => {
  expect(planOf(`subscription { ${ACCOUNT} { ${fields} } }`).followsHead).toBe(followsHead)
})

it.each([
  [true, 'unfinalized { truncated }'],
  [true, `claim(claimId: "${ID}") { unfinalized { truncated } }`],
  [true, `claim(claimId: "${ID}") { state allocations { vault { unfinalized { truncated } } } }`],
  [false, `claim(claimId: "${ID}") { state }`],
  [false, 'finalizedBlock { blockNumber }'],
])('a subscription follows the latest block: %s for %s', (followsHead, fields) => {
  expect(planOf(`subscription { ${fields} }`).followsHead).toBe(followsHead)
})

it('each request of a document has its own arguments of what is not in the database', () => {
  const document = parse('query ($wallet: Address) { unfinalized(wallet: $wallet) { truncated } }')
  for (const wallet of [...WALLETS, ...WALLETS])
    expect(planOf(document, { wallet }).holes).toMatchObject([{ args: { wallet } }])
})
