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
