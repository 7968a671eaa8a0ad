/**
 * Answers that are read from the chain have the token of their amounts and the names of their vaults, as the projection
 * has them.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { postPrepare } from '../support/prepared.ts'
import { signIn } from '../support/sign-in.ts'
import { sharedWorld } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const tokenInfo = z.object({ address: z.string(), symbol: z.string(), decimals: z.number() })
const dataShape = z.object({
  data: z.object({
    vaults: z.object({ nodes: z.array(z.object({ address: z.string(), name: z.string().min(1) })) }),
    executions: z.object({ nodes: z.array(z.object({ executionId: z.string() })) }),
    claims: z.object({
      nodes: z.array(z.object({ claimId: z.string(), tokenInfo, issuer: z.object({ address: z.string() }) })),
    }),
  }),
})

const QUERY = `{
  vaults(first: 200) { nodes { address name } }
  executions(first: 1) { nodes { executionId } }
  claims(first: 1, filter: { state_in: [PARTIALLY_FUNDED, FULLY_FUNDED], matured: true }) {
    nodes { claimId tokenInfo { address symbol decimals } issuer { address } }
  }
}`

let gateway: ReadGateway
let found: z.output<typeof dataShape>['data']
beforeAll(async () => {
  gateway = await startReadGateway()
  const response = await gateway.app.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: QUERY }),
  })
  found = dataShape.parse(await response.json()).data
})
afterAll(() => gateway.stop())

const nameOf = (vault: string) => found.vaults.nodes.find(({ address }) => address === vault)?.name

/** The issuer of a claim that is financed and due prepares its settlement. */
async function preparedByIssuer() {
  const [claim] = found.claims.nodes
  const { accounts } = sharedWorld()
  const issuer = accounts.find(({ address }) => address.toLowerCase() === claim?.issuer.address)
  if (!claim || !issuer) throw new Error('the world has no such claim')
  const token = await signIn(gateway.app, privateKeyToAccount(issuer.privateKey))
  const response = await postPrepare(gateway.app, token, `/settlements/${claim.claimId}/prepare`)
  return { claim, answer: await response.json() }
}

it('legs of an execution name their vaults and state their cost', async () => {
  const [execution] = found.executions.nodes
  const { legs } = await (await gateway.get(`/executions/${execution?.executionId}`)).json()
  expect(legs.length).toBeGreaterThan(0)
  for (const leg of legs) {
    expect(leg.vaultName).toBe(nameOf(leg.vault))
    expect(BigInt(leg.discountAmount)).toBe(BigInt(leg.faceAmount) - BigInt(leg.advanceAmount))
    const exact =
      (BigInt(leg.discountAmount) * 10_000n + BigInt(leg.faceAmount) - 1n) / BigInt(leg.faceAmount)
    expect(leg.effectiveDiscountBps).toBe(Number(exact))
  }
})

it('a settlement has the token of its amounts and names the vaults that it repays', async () => {
  const { claim, answer } = await preparedByIssuer()
  expect(answer.tokenInfo).toMatchObject(claim.tokenInfo)
  expect(answer.repayments.length).toBeGreaterThan(0)
  for (const { vault, vaultName } of answer.repayments) expect(vaultName).toBe(nameOf(vault))
})

const open = z.object({
  claimId: z.string(),
  tokenInfo,
  beneficiary: z.object({ address: z.string() }),
})
const managed = z.object({
  address: z.string(),
  tokenInfo,
  curator: z.object({ address: z.string() }),
  pricing: z.object({}).loose(),
})
const openShape = z.object({
  data: z.object({
    claims: z.object({ nodes: z.array(open) }),
    vaults: z.object({ nodes: z.tuple([managed]).rest(managed) }),
    vaultPositions: z.object({
      nodes: z.tuple([
        z.object({
          owner: z.object({ address: z.string() }),
          vault: z.object({ address: z.string(), tokenInfo }),
        }),
      ]),
    }),
  }),
})
const previewShape = z.object({
  routeRefusal: z.unknown(),
  quotes: z.array(z.object({ vault: z.string(), faceAmount: z.string() })),
})

const OPEN = `{
  claims(first: 200, filter: { state: ELIGIBLE, matured: false }) {
    nodes { claimId tokenInfo { address symbol decimals } beneficiary { address } }
  }
  vaults(first: 200, filter: { active: true }) {
    nodes {
      address tokenInfo { address symbol decimals } curator { address }
      pricing { baseDiscountBps durationBpsPerDay premiumBps }
    }
  }
  vaultPositions(first: 1) { nodes { owner { address } vault { address tokenInfo { address symbol decimals } } } }
}`

const query = async (text: string) => {
  const response = await gateway.app.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text }),
  })
  return response.json()
}

async function tokenOf(wallet: string): Promise<string> {
  const account = sharedWorld().accounts.find(({ address }) => address.toLowerCase() === wallet)
  if (!account) throw new Error(`the world has no account ${wallet}`)
  return signIn(gateway.app, privateKeyToAccount(account.privateKey))
}

/** A claim that can be planned, with its best quote. */
async function quoted() {
  const { claims } = openShape.parse(await query(OPEN)).data
  for (const claim of claims.nodes) {
    const response = await postPrepare(gateway.app, '', '/quotes/preview', { claimId: claim.claimId })
    const { routeRefusal, quotes } = previewShape.parse(await response.json())
    const [quote] = quotes
    if (quote && !routeRefusal) return { claim, quote }
  }
  throw new Error('the world has no claim that a vault takes')
}

/** Parts of an answer that name a vault. */
function named(value: unknown): { vault: unknown; vaultName: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(named)
  if (!('vault' in value) || !('vaultName' in value)) return inner
  return [{ vault: value.vault, vaultName: value.vaultName }, ...inner]
}

it('each answer that is prepared for a wallet names its vaults and has the token of its amounts', async () => {
  const { claim, quote } = await quoted()
  const { vaults, vaultPositions } = openShape.parse(await query(OPEN)).data
  const [[vault], [held]] = [vaults.nodes, vaultPositions.nodes]
  const owner = claim.beneficiary.address
  const route = { claimIds: [claim.claimId], targetAdvance: '1' }
  const expectNamed = async (wallet: string, path: string, body: object, token: object) => {
    const response = await postPrepare(gateway.app, await tokenOf(wallet), path, body)
    const answer = await response.json()
    expect([path, response.status, answer.tokenInfo]).toMatchObject([path, 200, token])
    const found = named(answer)
    expect([path, found.length > 0]).toEqual([path, true])
    for (const { vault, vaultName } of found) expect([path, vaultName]).toEqual([path, nameOf(String(vault))])
    return answer
  }
  const { routeId } = await expectNamed(owner, '/routes/optimize', route, claim.tokenInfo)
  await expectNamed(owner, `/routes/${routeId}/prepare-execution`, {}, claim.tokenInfo)
  // The legs are those of the best route that does not reach the target.
  const beyond = { ...route, targetAdvance: `${10n ** 30n}` }
  const { result } = await expectNamed(owner, '/routes/optimize', beyond, claim.tokenInfo)
  expect(result).toMatchObject({ executable: false, bestFeasiblePartial: { legs: expect.any(Array) } })
  const leg = { claimId: claim.claimId, ...quote }
  await expectNamed(owner, '/executions/prepare', leg, claim.tokenInfo)
  await expectNamed(
    owner,
    `/vaults/${vault.address}/deposits/prepare`,
    { assets: '1000000' },
    vault.tokenInfo,
  )
  const withdrawal = `/vaults/${held.vault.address}/withdrawals/prepare`
  await expectNamed(held.owner.address, withdrawal, { all: true }, held.vault.tokenInfo)
  const { curator, pricing } = vault
  await expectNamed(curator.address, `/vaults/${vault.address}/terms/prepare`, { pricing }, vault.tokenInfo)
})
