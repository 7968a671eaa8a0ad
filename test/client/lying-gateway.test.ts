/** A gateway that lies about any field of what it prepared gets nothing signed and nothing sent. */
import {
  encodeAbiParameters,
  getAddress,
  isHex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  serializeSignature,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import {
  createGateway,
  type Deployment,
  type Eip1193Provider,
  type Gateway,
  GatewayError,
  graphql,
  type Hash,
} from '../../packages/client/src/index.ts'
import { signedAttestation } from '../support/attestations.ts'
import { type Lie, liesAbout } from '../support/lies.ts'
import type { Party } from '../support/parties.ts'
import { createPermitToken, signPermit } from '../support/permits.ts'
import { deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from '../transactions/gateway.ts'

const EUR = 1_000_000n

/** Fields that decide nothing of what is signed or sent, with the reason. `*` is the index of a list. */
const HARMLESS: Readonly<Record<string, string>> = {
  blockNumber: 'the block of the checks of the gateway, which the contracts make again',
  description: 'words; what they describe is verified',
  'approvals.*.description': 'words; what they describe is verified',
  'approvals shorter': 'without an approval that it needs, the transaction reverts',
  pendingChanges: 'events of others, shown to the person; the transaction does not depend on them',
  issues: 'reasons why the transaction would fail; the wallet simulates it itself',
  vaultName: 'a name beside the address, which is verified',
  'legs.*.vaultName': 'a name beside the address, which is verified',
  'repayments.*.vaultName': 'a name beside the address',
  'repayments.*.vault': 'the router pays the vaults of its own records',
  amount: 'the router pays the credit of its own records',
  'pricedAt.timestamp': 'the time of the block at which all figures are verified',
  atOnce: 'when the terms take effect; the vault decides by its own terms',
  effectiveAt: 'when the terms take effect; the vault decides by its own notice',
  replacesPending: 'what the vault does with its own pending terms',
  effects:
    'decisions about the claims of others, shown to the person; the transaction does not depend on them',
  contractualRepayments:
    'terms of the claims of others, shown to the person; the transaction does not depend on them',
  nonce: 'the router uses up the nonce of its own records',
}

type Kind = {
  readonly name: string
  readonly by: Party
  readonly prepare: (gateway: Gateway) => Promise<Prepared>
}
type Prepared = Parameters<Gateway['run']>[0] | Parameters<Gateway['sign']>[0]

let the: FollowedWorld
let deployment: Deployment
let kinds: readonly Kind[]
/** A claim that lowers the exit price of the vault of withdrawals as long as nobody pays it. */
let overdue: Hash

beforeAll(async () => {
  the = await startFollowedWorld()
  await the.startIndexer()
  deployment = { chainId: the.world.chainId, contracts: the.world.protocol, tokens: [] }
  kinds = await prepareWorld()
  const { tokens } = await gatewayOf(the.world.parties.stranger, honest).ask(
    graphql('{ tokens(first: 200) { nodes { address symbol name decimals } } }'),
  )
  // A manifest may spell addresses with a checksum.
  const { claimRegistry, financingRouter } = the.world.protocol
  deployment = {
    ...deployment,
    contracts: { claimRegistry: getAddress(claimRegistry), financingRouter: getAddress(financingRouter) },
    tokens: tokens.nodes.map((token) => ({ ...token, address: getAddress(token.address) })),
  }
  for (const kind of kinds) await record(kind)
})
afterAll(() => the.stop())

/** One prepared answer of each kind, in the state of the world that it requires. */
async function prepareWorld(): Promise<readonly Kind[]> {
  const { world } = the
  const { issuer, beneficiary, curator, payer, provider, relayer, stranger } = world.parties
  const blocking = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
  await act.setTokenListed(world, { token: blocking, listed: true })
  const [usdVault, eurVault] = [
    await act.createFundedVault(world, { token: world.usd, capital: 900n * EUR }),
    await act.createFundedVault(world, { token: world.eur, capital: 900n * EUR }),
  ]
  const register = async (terms: Partial<act.ClaimTerms>) => {
    const all = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 100n * EUR }
    return (await act.registerClaim(world, { ...all, ...terms })).claimId
  }
  const finance = (claimId: Hash, vault: Hash, faceAmount = 30n * EUR) =>
    act.executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount })
  const pendingVault = await act.createFundedVault(world, {
    token: world.usd,
    capital: 900n * EUR,
    noticePeriod: 3_600,
  })
  const mandate = {
    supportedTypesBitmap: 0b101n,
    minDurationDays: 1,
    maxDurationDays: 90,
    minFace: 2n,
    maxFace: 3n * EUR,
    maxClaimFace: 4n * EUR,
    maxIssuerFace: 5n * EUR,
  }
  // A lower rate waits for the notice.
  const pricing = { baseDiscountBps: 50, durationBpsPerDay: 2, premiumBps: [0, 25] }
  await act.submitTerms(world, { curator, vault: pendingVault, mandate, pricing })
  const dueDate = (await act.chainTime(world)) + 600n
  const due = await register({ token: world.eur, dueDate })
  await finance(due, eurVault)
  overdue = await register({ dueDate })
  await finance(overdue, usdVault, 90n * EUR)
  const unpaid = await register({ token: blocking, dueDate })
  await act.travelDays(world, 31)
  await act.mint(world, { token: world.eur, to: payer.address, amount: 100n * EUR })
  await act.approve(world, {
    owner: payer,
    token: world.eur,
    spender: world.protocol.financingRouter,
    amount: 5n,
  })
  await act.setBlocked(world, { token: blocking, account: beneficiary.address, blocked: true })
  await act.mintAndSettle(world, { payer, claimId: unpaid })
  const [one, other] = [await register({}), await register({})]
  const revocable = await register({})
  await finance(revocable, usdVault)
  const signed = await signedAttestation(world)
  const { faceValue, dueDate: signedDueDate, claimType, validUntil, ...names } = signed.attestation
  const integers = { faceValue: `${faceValue}`, dueDate: `${signedDueDate}` } as const
  const attestation = {
    ...names,
    ...integers,
    claimType: `${BigInt(claimType)}`,
    validUntil: `${validUntil}`,
  } as const
  await act.mint(world, { token: world.eur, to: stranger.address, amount: 50n * EUR })
  await act.approve(world, { owner: stranger, token: world.eur, spender: eurVault, amount: 5n })
  await act.mint(world, { token: world.usd, to: stranger.address, amount: 50n * EUR })
  const permitToken = await createPermitToken(world)
  const permitVault = await act.createFundedVault(world, { token: permitToken, capital: 900n * EUR })
  await act.mint(world, { token: permitToken, to: stranger.address, amount: 50n * EUR })
  const deadline = (await act.chainTime(world)) + 3_600n
  const terms = { token: permitToken, spender: permitVault, value: 20n * EUR, deadline }
  const { r, s, v } = await signPermit(world, stranger, terms)
  const permit = {
    signature: serializeSignature({ r, s, v: BigInt(v) }),
    deadline: new Date(Number(deadline) * 1000).toISOString(),
  }
  await the.project()
  await routes.followChain(the)
  const ofVault = (vault: Hash) => ({ path: { vault } })
  const claim = (claimId: Hash) => ({ path: { claimId } })
  return [
    {
      name: 'a financing',
      by: beneficiary,
      prepare: (gateway) =>
        gateway.post('/api/v1/executions/prepare', {
          body: { claimId: one, vault: usdVault, faceAmount: `${20n * EUR}` },
        }),
    },
    { name: 'a route', by: beneficiary, prepare: (gateway) => prepareRoute(gateway, [one, other]) },
    {
      name: 'a cancellation of routes',
      by: beneficiary,
      prepare: (gateway) => gateway.post('/api/v1/routes/cancellation/prepare'),
    },
    {
      name: 'a settlement with two approvals',
      by: payer,
      prepare: (gateway) => gateway.post('/api/v1/settlements/{claimId}/prepare', { params: claim(due) }),
    },
    {
      name: 'a part of a settlement',
      by: payer,
      prepare: (gateway) =>
        gateway.post('/api/v1/settlements/{claimId}/prepare', {
          params: claim(due),
          body: { amount: '1000' },
        }),
    },
    {
      name: 'a revocation',
      by: issuer,
      prepare: (gateway) =>
        gateway.post('/api/v1/claims/{claimId}/revocation/prepare', { params: claim(revocable) }),
    },
    {
      name: 'a withdrawal of a credit',
      by: beneficiary,
      prepare: (gateway) =>
        gateway.post('/api/v1/credits/withdrawal/prepare', {
          body: { token: blocking },
        }),
    },
    {
      name: 'a deposit with two approvals',
      by: stranger,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/deposits/prepare', {
          params: ofVault(eurVault),
          body: { assets: `${20n * EUR}` },
        }),
    },
    {
      name: 'a deposit for shares',
      by: stranger,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/deposits/prepare', {
          params: ofVault(usdVault),
          body: { shares: `${10n * EUR * EUR}`, receiver: payer.address, slippageBps: 100 },
        }),
    },
    {
      name: 'a deposit that offers a permit',
      by: stranger,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/deposits/prepare', {
          params: ofVault(permitVault),
          body: { assets: `${20n * EUR}` },
        }),
    },
    {
      name: 'a deposit with a permit',
      by: stranger,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/deposits/prepare', {
          params: ofVault(permitVault),
          body: { assets: `${20n * EUR}`, permit, receiver: payer.address },
        }),
    },
    {
      name: 'a withdrawal of assets',
      by: provider,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/withdrawals/prepare', {
          params: ofVault(usdVault),
          body: { assets: `${20n * EUR}` },
        }),
    },
    {
      name: 'a withdrawal of all',
      by: provider,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/withdrawals/prepare', {
          params: ofVault(usdVault),
          body: { all: true, receiver: relayer.address },
        }),
    },
    {
      name: 'a withdrawal of shares',
      by: provider,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/withdrawals/prepare', {
          params: ofVault(usdVault),
          body: { shares: `${10n * EUR * EUR}` },
        }),
    },
    {
      name: 'a submission of a mandate',
      by: curator,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/terms/prepare', {
          params: ofVault(usdVault),
          body: {
            mandate: {
              supportedTypesBitmap: `${mandate.supportedTypesBitmap}`,
              minDurationDays: mandate.minDurationDays,
              maxDurationDays: mandate.maxDurationDays,
              minFace: `${mandate.minFace}`,
              maxFace: `${mandate.maxFace}`,
              maxClaimFace: `${mandate.maxClaimFace}`,
              maxIssuerFace: `${mandate.maxIssuerFace}`,
            },
          },
        }),
    },
    ...(['accept', 'revoke'] as const).map(
      (action): Kind => ({
        name: action === 'accept' ? 'an acceptance of terms' : 'a withdrawal of terms',
        by: curator,
        prepare: (gateway) =>
          gateway.post('/api/v1/vaults/{vault}/terms/prepare', {
            params: ofVault(pendingVault),
            body: { action },
          }),
      }),
    ),
    {
      name: 'a submission of terms',
      by: curator,
      prepare: (gateway) =>
        gateway.post('/api/v1/vaults/{vault}/terms/prepare', {
          params: ofVault(usdVault),
          body: { pricing: { baseDiscountBps: 150, durationBpsPerDay: 1, premiumBps: [0, 25] } },
        }),
    },
    {
      name: 'an attestation',
      by: issuer,
      prepare: (gateway) =>
        gateway.post('/api/v1/issuer/attestations/prepare', {
          body: {
            beneficiary: beneficiary.address,
            token: world.usd,
            faceValue: '1000',
            dueDate: '2099-01-01T00:00:00Z',
            claimType: 0,
            documentHash: `0x${'12'.repeat(32)}`,
          },
        }),
    },
    {
      name: 'a registration',
      by: relayer,
      prepare: (gateway) =>
        gateway.post('/api/v1/claims/registration/prepare', {
          body: { attestation, signature: signed.signature },
        }),
    },
    {
      name: 'a cancellation of an attestation',
      by: issuer,
      prepare: (gateway) =>
        gateway.post('/api/v1/issuer/attestations/cancellation/prepare', { body: { attestation } }),
    },
  ]
}

async function prepareRoute(gateway: Gateway, claimIds: Hash[]) {
  const body = { claimIds, targetAdvance: `${150n * EUR}` } as const
  const { routeId } = await gateway.post('/api/v1/routes/optimize', { body })
  if (routeId === null) throw new Error('no route')
  return gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params: { path: { routeId } } })
}

/** Has the gateway prepare once what each of the kinds is. */
async function record(kind: Kind): Promise<Prepared> {
  const gateway = gatewayOf(kind.by, honest)
  await gateway.signIn()
  return kind.prepare(gateway)
}

/** Answers of the gateway by path and body: each is prepared once, and lied about many times. */
const answers = new Map<string, Promise<string>>()

/** Changes an answer of the real gateway, as a gateway in front of it would. */
type Lying = (answer: unknown) => unknown
const honest: Lying = (answer) => answer

type Place = {
  /** Chain that the wallet is on. Default: that of the world. */
  chainId?: string
  /** How many calls at a block the node of the wallet refuses at first. */
  callsBehind?: number
  /** Price that the vaults have at the latest block of that node, in place of the real one. */
  latestPrice?: () => bigint
  /** Whether that node has no contract at any address. */
  isEmpty?: boolean
  /** Clock of the client. Default: that of the world. */
  now?: () => number
}

const PREVIEWS = ['previewDeposit', 'previewMint', 'previewWithdraw', 'previewRedeem'].map((name) =>
  toFunctionSelector(`${name}(uint256)`),
)

function gatewayOf(
  { key }: Pick<Party, 'key'>,
  lying: Lying,
  asked: string[] = [],
  place: Place = {},
): Gateway {
  const wallet = createAccountWallet(key, the.world.rpcUrl)
  let callsBehind = place.callsBehind ?? 0
  const watched: Eip1193Provider = {
    request: async (call) => {
      if (call.method === 'eth_chainId' && place.chainId !== undefined) return place.chainId
      if (call.method === 'eth_call' && isHex(call.params?.[1]) && callsBehind-- > 0)
        throw new Error('header not found')
      if (call.method === 'eth_call' && place.isEmpty) return '0x'
      const { data }: { data?: string } = Object(call.params?.[0])
      if (place.latestPrice && call.params?.[1] === 'latest' && PREVIEWS.some((one) => data?.startsWith(one)))
        return numberToHex(place.latestPrice(), { size: 32 })
      if (/^(?:eth_sign|eth_send|wallet_)/.test(call.method)) {
        asked.push(call.method)
        throw new Error('asked')
      }
      return wallet.request(call)
    },
  }
  const entries = new Map<string, string>()
  return createGateway({
    url: 'http://gateway.test',
    site: TEST_SITE,
    deployment,
    wallet: watched,
    storage: {
      getItem: (name) => entries.get(name) ?? null,
      setItem: (name, value) => void entries.set(name, value),
      removeItem: (name) => void entries.delete(name),
    },
    now: place.now ?? the.clock.now,
    fetch: async (request) => {
      if (!/prepare|optimize/.test(request.url)) return the.app.fetch(request)
      const name = `${request.url} ${await request.clone().text()}`
      const answer = answers.get(name) ?? prepareOnce(request)
      answers.set(name, answer)
      const body: unknown = JSON.parse(await answer)
      return Response.json(request.url.endsWith('/optimize') ? body : lying(body))
    },
  })
}

async function prepareOnce(request: Request): Promise<string> {
  const response = await the.app.fetch(request)
  if (!response.ok) throw new Error(`${request.url}: ${await response.text()}`)
  return response.text()
}

/** @returns the error of the client, or undefined if it took the answer; the wallet is not asked for anything */
async function refusalOf(kind: Kind, lying: Lying, place: Place = {}): Promise<GatewayError | undefined> {
  const asked: string[] = []
  const refusal = await kind.prepare(gatewayOf(kind.by, lying, asked, place)).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(asked).toEqual([])
  if (refusal === undefined || refusal instanceof GatewayError) return refusal
  throw refusal
}

async function answerOf(kind: Kind): Promise<unknown> {
  let answer: unknown
  await kind.prepare(
    gatewayOf(kind.by, (body) => {
      answer = body
      return body
    }),
  )
  return answer
}

function isHarmless({ field, change }: Lie): boolean {
  const general = field.replaceAll(/\.\d+/g, '.*')
  const isKnown = (known: string) => general === known || general.startsWith(`${known}.`)
  return `${general} ${change}` in HARMLESS || Object.keys(HARMLESS).some(isKnown)
}

/** Whether the message names the field, one that contains it, or the field that has to agree with it. */
function isNamed(field: string, message: string): boolean {
  const names = [...message.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const last = field
    .split('.')
    .filter((name) => !/^\d+$/.test(name))
    .at(-1)
  return names.some(
    (name) =>
      `${field}.`.startsWith(`${name}.`) || name.startsWith(`${field}.`) || name.split('.').at(-1) === last,
  )
}

const KINDS = [
  'a financing',
  'a route',
  'a cancellation of routes',
  'a settlement with two approvals',
  'a part of a settlement',
  'a revocation',
  'a withdrawal of a credit',
  'a deposit with two approvals',
  'a deposit for shares',
  'a deposit that offers a permit',
  'a deposit with a permit',
  'a withdrawal of assets',
  'a withdrawal of all',
  'a withdrawal of shares',
  'a submission of a mandate',
  'an acceptance of terms',
  'a withdrawal of terms',
  'a submission of terms',
  'an attestation',
  'a registration',
  'a cancellation of an attestation',
]

function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new Error(`nothing is prepared for ${name}`)
  return kind
}

describe.each(KINDS)('%s', (name) => {
  it('is taken as the gateway prepared it, and is what the wallet is asked for', async () => {
    const { by, prepare } = kindOf(name)
    const asked: string[] = []
    const gateway = gatewayOf(by, honest, asked)
    const prepared = await prepare(gateway)
    const run = 'approvals' in prepared ? gateway.run(prepared) : gateway.sign(prepared)
    await expect(run).rejects.toMatchObject({ code: 'WALLET_FAILED' })
    const sends = 'approvals' in prepared && !('permit' in prepared && prepared.permit)
    expect(asked.at(-1)).toBe(sends ? 'eth_sendTransaction' : 'eth_signTypedData_v4')
  })

  it('is refused with any field changed that can do harm, and the error names it', async () => {
    const kind = kindOf(name)
    const lies = liesAbout(await answerOf(kind)).filter((lie) => !isHarmless(lie))
    expect(lies.length).toBeGreaterThan(10)
    const taken: string[] = []
    const unnamed: string[] = []
    for (const { field, value } of lies) {
      const refusal = await refusalOf(kind, () => value)
      if (!refusal) taken.push(field)
      else if (refusal.code !== 'ANSWER_MISMATCH' || !isNamed(field, refusal.message))
        unnamed.push(`${field}: ${refusal.message}`)
    }
    expect({ taken, unnamed }).toEqual({ taken: [], unnamed: [] })
  })
})

/** The answer with other members, all the way down. */
type Change = Readonly<Record<string, unknown>>

const withMembers = (answer: unknown, members: Change) => ({ ...Object(answer), ...members })

describe('a forgery whose parts agree with each other', () => {
  it('of a transaction that pays another contract on another chain is refused', async () => {
    const { stranger } = the.world.parties
    const forge: Lying = (answer) => {
      const { transaction }: { transaction?: { from: string } } = Object(answer)
      const params = { from: transaction?.from, to: stranger.address, data: '0x' }
      return withMembers(answer, {
        transaction: { ...params, chainId: 1, value: '1000000000000000000' },
        rpc: {
          method: 'eth_sendTransaction',
          params: [{ ...params, chainId: '0x1', value: '0xde0b6b3a7640000' }],
        },
      })
    }
    for (const name of KINDS.slice(2).filter((one) => one !== 'an attestation'))
      expect(await refusalOf(kindOf(name), forge), name).toMatchObject({
        code: 'ANSWER_MISMATCH',
        retryable: false,
        facts: { field: 'transaction.chainId' },
      })
  })

  it('with a field that the wallet would take in addition is refused', async () => {
    const forge: Lying = (answer) => {
      const { rpc }: { rpc?: { params: object[] } } = Object(answer)
      const params = rpc?.params.map((one) => ({ ...one, gasPrice: '0xffffffffffff' }))
      return withMembers(answer, { rpc: { method: 'eth_sendTransaction', params } })
    }
    expect(await refusalOf(kindOf('a registration'), forge)).toMatchObject({
      facts: { field: 'rpc.params.0.gasPrice' },
    })
  })

  it.each([
    ['a registration', 'transaction'],
    ['a registration', 'rpc'],
    ['a settlement with two approvals', 'approvals.0.transaction'],
    ['a settlement with two approvals', 'approvals.1.rpc'],
    ['a settlement with two approvals', 'approvals.1.rpc.params.0'],
    ['a route', 'typedData'],
    ['a route', 'typedData.domain'],
    ['a route', 'typedData.message.legs.1'],
    ['a deposit that offers a permit', 'permit.typedData.message'],
  ] as const)('of %s with a further member in `%s` is refused', async (name, place) => {
    const within = (value: unknown, [first, ...rest]: readonly string[]): unknown => {
      if (first === undefined) return withMembers(value, { gasPrice: '0xffffffffffff' })
      if (Array.isArray(value))
        return value.map((one, index) => (String(index) === first ? within(one, rest) : one))
      return withMembers(value, { [first]: within(Object(value)[first], rest) })
    }
    expect(await refusalOf(kindOf(name), (answer) => within(answer, place.split('.')))).toMatchObject({
      facts: { field: `${place}.gasPrice` },
    })
  })

  it('with a field that the wallet would sign in addition is refused', async () => {
    const forge: Lying = (answer) => {
      const { typedData }: { typedData?: { message: object } } = Object(answer)
      return withMembers(answer, {
        typedData: withMembers(typedData, { message: withMembers(typedData?.message, { permit: '0x01' }) }),
      })
    }
    for (const name of ['an attestation', 'a route'])
      expect(await refusalOf(kindOf(name), forge), name).toMatchObject({
        facts: { field: 'typedData.message.permit' },
      })
    const submit: Lying = (answer) =>
      withMembers(answer, { submit: withMembers(Object(answer).submit, { value: '1' }) })
    expect(await refusalOf(kindOf('a route'), submit)).toMatchObject({ facts: { field: 'submit.value' } })
  })

  it('of an approval of everything for someone else is refused', async () => {
    const { stranger } = the.world.parties
    const settlement = kindOf('a settlement with two approvals')
    const forge: Lying = (answer) => {
      const text = JSON.stringify(Object(answer).approvals)
      const router = the.world.protocol.financingRouter.slice(2)
      return withMembers(answer, {
        approvals: JSON.parse(text.replaceAll(router, stranger.address.slice(2))),
      })
    }
    expect(await refusalOf(settlement, forge)).toMatchObject({
      facts: { field: 'approvals.0.transaction.data' },
    })
  })

  it('of typed data of another contract is refused before it is signed', async () => {
    const forge: Lying = (answer) =>
      withMembers(answer, {
        typedData: {
          domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: the.world.usd },
          types: { Permit: [{ name: 'owner', type: 'address' }] },
          primaryType: 'Permit',
          message: { owner: the.world.parties.issuer.address },
        },
      })
    for (const name of ['an attestation', 'a route'])
      expect(await refusalOf(kindOf(name), forge), name).toMatchObject({
        code: 'ANSWER_MISMATCH',
        facts: { field: expect.stringMatching(/^typedData/) },
      })
  })
})

describe('the client asks the wallet for nothing', () => {
  const settle = async (gateway: Gateway) => kindOf('a revocation').prepare(gateway)
  const issuer = () => the.world.parties.issuer

  it('that was changed after it was verified', async () => {
    const asked: string[] = []
    const gateway = gatewayOf(issuer(), honest, asked)
    const prepared = await settle(gateway)
    if (!('approvals' in prepared)) throw new Error('a revocation is a transaction')
    prepared.transaction.value = '1'
    await expect(gateway.run(prepared)).rejects.toMatchObject({ facts: { field: 'transaction.value' } })
    expect(asked).toEqual([])
  })

  it('that its gateway did not verify', async () => {
    const asked: string[] = []
    const gateway = gatewayOf(issuer(), honest, asked)
    const copy = structuredClone(await settle(gateway))
    if (!('approvals' in copy)) throw new Error('a revocation is a transaction')
    await expect(gateway.run(copy)).rejects.toMatchObject({ code: 'NOT_VERIFIABLE' })
    await expect(
      gateway.post('/api/v1/routes/{routeId}/prepare-execution', {
        params: { path: { routeId: `0x${'34'.repeat(32)}` } },
      }),
    ).rejects.toMatchObject({ code: 'NOT_VERIFIABLE' })
    expect(asked).toEqual([])
  })

  it('but to switch where it has moved to another chain', async () => {
    const asked: string[] = []
    const place: { chainId?: string } = {}
    const gateway = gatewayOf(issuer(), honest, asked, place)
    const prepared = await settle(gateway)
    if (!('approvals' in prepared)) throw new Error('a revocation is a transaction')
    place.chainId = '0x1'
    await expect(gateway.run(prepared)).rejects.toMatchObject({ code: 'WRONG_CHAIN' })
    expect(asked).toEqual(['wallet_switchEthereumChain'])
  })

  it('that a node without the contracts cannot verify', async () => {
    const names = ['a settlement with two approvals', 'a financing', 'a deposit for shares']
    for (const name of names)
      expect(await refusalOf(kindOf(name), honest, { isEmpty: true }), name).toMatchObject({
        code: 'WALLET_FAILED',
      })
  })

  it('and the gateway for nothing, where it is on another chain when it is prepared', async () => {
    const requested: unknown[] = []
    const noting: Lying = (answer) => requested.push(answer)
    expect(await refusalOf(kindOf('a revocation'), noting, { chainId: '0x1' })).toMatchObject({
      code: 'WRONG_CHAIN',
    })
    expect(requested).toEqual([])
  })

  it('without a deployment to verify it against', async () => {
    const requests: string[] = []
    const gateway = createGateway({
      url: 'http://gateway.test',
      wallet: createAccountWallet(issuer().key, the.world.rpcUrl),
      fetch: async ({ url }) => {
        requests.push(url)
        return Response.json({})
      },
    })
    await expect(settle(gateway)).rejects.toMatchObject({ code: 'NOT_VERIFIABLE' })
    expect(requests).toEqual([])
  })
})

describe('the bounds of a request hold for what is prepared', () => {
  const boundsOf = async (kind: Kind, body: Change, lying = honest) => {
    const gateway = gatewayOf(kind.by, lying)
    await gateway.signIn()
    const { vault, claimId } = Object(await answerOf(kindOf('a financing'))).legs[0]
    return gateway
      .post('/api/v1/executions/prepare', { body: { claimId, vault, faceAmount: `${20n * EUR}`, ...body } })
      .then(
        () => undefined,
        (error: unknown) => error,
      )
  }

  it('a deadline that is later than the request allows is refused', async () => {
    const kind = kindOf('a financing')
    expect(await boundsOf(kind, { deadlineSeconds: 3600 })).toBeUndefined()
    const late: Lying = (answer) => withMembers(answer, { deadline: '2100-01-01T00:00:00Z' })
    expect(await refusalOf(kind, late)).toMatchObject({ facts: { field: 'deadline' } })
  })

  const secondsLater = (time: number, seconds: number) =>
    new Date((Math.floor(time / 1000) + seconds) * 1000).toISOString().replace('.000Z', 'Z')

  it.each([
    ['a financing', 'deadline', 300],
    ['a route', 'deadline', 300],
    ['an attestation', 'validUntil', 86_400],
    ['a deposit that offers a permit', 'permit.deadline', 1_800],
  ])(
    '%s has its `%s` at most %i seconds after the request, and 300 for clocks that differ',
    async (...kind) => {
      const [name, field, seconds] = kind
      const time = the.clock.now()
      const refusalAt = (deadline: string) => {
        const lying: Lying = (answer) =>
          field === 'permit.deadline'
            ? withMembers(answer, { permit: withMembers(Object(answer).permit, { deadline }) })
            : withMembers(answer, { [field]: deadline })
        return refusalOf(kindOf(name), lying, { now: () => time })
      }
      const [last, late] = [seconds + 300, seconds + 301].map((later) => secondsLater(time, later))
      // Another field states the time, too.
      expect((await refusalAt(last ?? ''))?.facts.field).not.toBe(field)
      expect(await refusalAt(late ?? '')).toMatchObject({ code: 'ANSWER_MISMATCH', facts: { field } })
    },
  )

  it('a route has the time of the request for its plan', async () => {
    const start = the.clock.now()
    let time = start
    const late: Lying = (answer) => withMembers(answer, { deadline: secondsLater(start, 601) })
    const gateway = gatewayOf(the.world.parties.beneficiary, late, [], { now: () => time })
    const [, body = ''] = [...answers.keys()].find((name) => name.includes('/optimize'))?.split(' ') ?? []
    const { routeId } = await gateway.post('/api/v1/routes/optimize', { body: JSON.parse(body) })
    if (routeId === null) throw new Error('no route')
    time += 100_000
    const params = { path: { routeId } }
    const prepared = gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params })
    await expect(prepared).rejects.toMatchObject({ facts: { field: 'deadline' } })
  })

  it('a financing has the id of one of the eight slices of its claim', async () => {
    const kind = kindOf('a financing')
    const { claimId } = Object(await answerOf(kind)).legs[0]
    const fields = parseAbiParameters('string, uint256, address, bytes32, uint8')
    const { chainId, protocol } = the.world
    const refusalOfSlice = (slice: number) => {
      const values = ['DIRECT', BigInt(chainId), protocol.financingRouter, claimId, slice] as const
      const executionId = keccak256(encodeAbiParameters(fields, values))
      return refusalOf(kind, (answer) => withMembers(answer, { executionId }))
    }
    for (const slice of [0, 7]) expect(await refusalOfSlice(slice), `slice ${slice}`).toBeUndefined()
    expect(await refusalOfSlice(8)).toMatchObject({ facts: { field: 'executionId' } })
  })

  it('a settlement of the whole claim is refused where a part was asked for', async () => {
    const whole = await answerOf(kindOf('a settlement with two approvals'))
    expect(await refusalOf(kindOf('a part of a settlement'), () => whole)).toMatchObject({
      facts: { field: 'faceAmount' },
    })
  })

  type Asked = Partial<Record<'targetAdvance' | 'maxTotalFace' | 'maxTotalCost', `${bigint}`>>

  /** A gateway prepares the route of `a route` where the request for its plan asks for another one. */
  const plan = async (asked: Asked, named = (claimIds: readonly Hash[]) => claimIds) => {
    const gateway = gatewayOf(the.world.parties.beneficiary, honest)
    const legs: { claimId: Hash }[] = Object(await answerOf(kindOf('a route'))).legs
    const claimIds = [...named(legs.map(({ claimId }) => claimId))]
    const request = [...answers.keys()].find((name) => name.includes('/optimize'))
    const body = { claimIds, targetAdvance: `${150n * EUR}`, ...asked } as const
    const honestPlan = request && answers.get(request)
    if (!honestPlan) throw new Error('no route was planned')
    answers.set(`http://gateway.test/api/v1/routes/optimize ${JSON.stringify(body)}`, honestPlan)
    const { routeId } = await gateway.post('/api/v1/routes/optimize', { body })
    if (routeId === null) throw new Error('no route')
    return gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params: { path: { routeId } } })
  }

  it('a route of a claim that was not asked for is refused', async () => {
    for (const asked of [0, 1]) {
      const field = `legs.${1 - asked}.claimId`
      await expect(plan({}, (ids) => ids.slice(asked, asked + 1))).rejects.toMatchObject({ facts: { field } })
    }
  })

  it('a route of claims that were asked for in capital digits is taken', async () => {
    const inCapitals = (claimId: Hash): Hash => `0x${claimId.slice(2).toUpperCase()}`
    expect((await plan({}, (ids) => ids.map(inCapitals))).legs).toHaveLength(2)
  })

  it('a route is taken at its bounds, and refused a unit beyond', async () => {
    const { totalFace, totalCost, totalAdvance } = Object(await answerOf(kindOf('a route'))).totals
    const of = (name: keyof Asked, amount: bigint) => plan({ [name]: `${amount}` })
    expect((await of('maxTotalFace', BigInt(totalFace))).totals).toMatchObject({ totalFace })
    expect((await of('maxTotalCost', BigInt(totalCost))).totals).toMatchObject({ totalCost })
    const beyond = [
      ['maxTotalFace', BigInt(totalFace) - 1n, 'totals.totalFace'],
      ['maxTotalCost', BigInt(totalCost) - 1n, 'totals.totalCost'],
      ['targetAdvance', BigInt(totalAdvance) + 1n, 'totals.totalAdvance'],
    ] as const
    for (const [name, amount, field] of beyond)
      await expect(of(name, amount), name).rejects.toMatchObject({ facts: { field } })
  })

  it('a route that advances less than was asked for is refused', async () => {
    await expect(plan({ targetAdvance: `${199n * EUR}` })).rejects.toMatchObject({
      facts: { field: 'totals.totalAdvance' },
    })
  })

  it('a financing that advances more than its face, or less than was asked for, is refused', async () => {
    const kind = kindOf('a financing')
    const advancing = (amount: bigint) => (answer: unknown) =>
      withMembers(answer, { legs: [withMembers(Object(answer).legs[0], { advanceAmount: `${amount}` })] })
    expect(await refusalOf(kind, advancing(20n * EUR + 1n))).toMatchObject({
      facts: { field: 'legs.0.advanceAmount' },
    })
    const least = { minimumAdvanceAmount: `${10n * EUR}` } as const
    expect(await boundsOf(kind, least)).toBeUndefined()
    expect(await boundsOf(kind, least, advancing(10n * EUR - 1n))).toMatchObject({
      facts: { field: 'legs.0.advanceAmount' },
    })
  })

  it('a route that costs more than the request allows is refused', async () => {
    await expect(plan({ maxTotalCost: '1' })).rejects.toMatchObject({ facts: { field: 'totals.totalCost' } })
    await expect(plan({ maxTotalFace: `${150n * EUR}` })).rejects.toMatchObject({
      facts: { field: 'totals.totalFace' },
    })
    expect((await plan({ maxTotalCost: `${50n * EUR}` })).totals.totalFace).toBeDefined()
  })
})

describe('the price of shares', () => {
  const DEPOSIT = 'a deposit with two approvals'

  it('of a contract that is no vault of the registry is refused', async () => {
    const { usd, parties } = the.world
    const answer = JSON.stringify(await answerOf(kindOf(DEPOSIT)))
    const { vault }: { vault: Hash } = JSON.parse(answer)
    const body = { assets: `${20n * EUR}` } as const
    const url = `http://gateway.test/api/v1/vaults/${usd}/deposits/prepare`
    answers.set(
      `${url} ${JSON.stringify(body)}`,
      Promise.resolve(answer.replaceAll(vault.slice(2), usd.slice(2))),
    )
    const params = { path: { vault: usd } }
    const prepared = gatewayOf(parties.stranger, honest).post('/api/v1/vaults/{vault}/deposits/prepare', {
      params,
      body,
    })
    await expect(prepared).rejects.toMatchObject({ code: 'ANSWER_MISMATCH', facts: { field: 'vault' } })
  })

  it('of a block that the node of the wallet does not have is refused', async () => {
    const ahead: Lying = (answer) => withMembers(answer, { pricedAt: { blockNumber: 1_000_000_000 } })
    expect(await refusalOf(kindOf(DEPOSIT), ahead)).toMatchObject({
      facts: { field: 'pricedAt.blockNumber' },
    })
  })

  it.each([
    [DEPOSIT, 'minShares', 10n],
    ['a deposit for shares', 'maxAssets', 100n],
    ['a withdrawal of assets', 'maxShares', 10n],
    ['a withdrawal of all', 'minAssets', 10n],
  ] as const)(
    'for %s is refused when %s is more than its slippage and 1 % off the latest',
    async (...kind) => {
      const [name, bound, slippage] = kind
      const answer: Partial<Record<typeof bound, string>> = Object(await answerOf(kindOf(name)))
      const amount = BigInt(answer[bound] ?? '')
      const isLeast = bound.startsWith('min')
      // The last price that the bound is fair for, and the next one.
      const last = isLeast
        ? ((amount + 1n) * 10_000n - 1n) / (9_900n - slippage)
        : ((amount - 1n) * 10_000n) / (10_100n + slippage) + 1n
      const refusalAt = (price: bigint) => refusalOf(kindOf(name), honest, { latestPrice: () => price })
      expect(await refusalAt(last)).toBeUndefined()
      expect(await refusalAt(isLeast ? last + 1n : last - 1n)).toMatchObject({
        facts: { field: 'pricedAt.blockNumber' },
      })
    },
  )

  it('is verified once the node of the wallet has the block, at the fourth try', async () => {
    const { by, prepare } = kindOf(DEPOSIT)
    const taken = await prepare(gatewayOf(by, honest, [], { callsBehind: 3 }))
    expect(taken).toHaveProperty('pricedAt.blockNumber')
    const behind = prepare(gatewayOf(by, honest, [], { callsBehind: 4 }))
    await expect(behind).rejects.toMatchObject({ facts: { field: 'pricedAt.blockNumber' } })
  })

  it('is refused when a better one has come since its block', async () => {
    const { world } = the
    const withdrawal = kindOf('a withdrawal of all')
    expect(await refusalOf(withdrawal, honest)).toBeUndefined()
    await act.mintAndSettle(world, { payer: world.parties.payer, claimId: overdue })
    const refusal = await refusalOf(withdrawal, honest)
    expect(refusal).toMatchObject({ facts: { field: 'pricedAt.blockNumber' } })
  })
})

it('the kinds are all that the gateway prepares', () => {
  expect(kinds.map(({ name }) => name)).toEqual(KINDS)
})
