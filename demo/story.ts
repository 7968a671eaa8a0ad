/** The whole flow, from an invoice to its settlement, as a frontend would go through it. */
import { graphql, type RunOptions, type Transaction } from '../client/index.ts'
import { cashOf, type Place, type Player, playerOf, tokenOf, vaultsOf } from './cast.ts'
import { attest, type Invoice, register } from './invoices.ts'
import { amount, change, percent, short, type Teller, type Token } from './teller.ts'

export type Surroundings = Place & {
  tell: Teller
  /** Unix seconds, by the chain. */
  chainTime: () => Promise<number>
  /** Resolves when the chain's time is there. */
  until: (time: number) => Promise<void>
}

const DAY = 86_400
/** Enough to register a claim, to finance it, and for a deadline of a minute before it is due. */
const SOON = 110

/** @returns what changed for each, by name: base units of the token */
export async function tellStory(around: Surroundings): Promise<Map<string, bigint>> {
  const { tell } = around
  const debtor = playerOf(around, 'issuer-1')
  const holder = playerOf(around, 'wallet-1')
  const token = await tokenOf(holder, 'HUSD')
  const before = await cashOf([holder, debtor], token)
  tell.say(
    `${holder.name} has delivered to ${debtor.name} and is owed money, later. Vaults advance it today, for a discount. This takes about two minutes: near the end it waits for a due date.`,
  )

  await signInBoth(tell, debtor, holder)
  const claimIds = await bringInvoices(around, { debtor, holder, token }, [
    { number: 'first', face: 12_000n, days: 45 },
    { number: 'second', face: 8_000n, days: 60 },
  ])
  await financeByRoute(tell, holder, token, claimIds)
  const dueAt = (await around.chainTime()) + SOON
  const [due = ''] = await bringInvoices(around, { debtor, holder, token }, [
    { number: 'third', face: 3_000n, dueAt },
  ])
  await financeDirectly(tell, holder, token, due)
  await settle(around, debtor, token, { claimId: due, dueAt })
  const after = await cashOf([holder, debtor], token)
  return tellBalances(tell, token, before, after)
}

async function signInBoth(tell: Teller, ...players: readonly Player[]): Promise<void> {
  tell.step(
    'Both sign in',
    'Each wallet signs one message (EIP-4361) that names this site and a nonce of the gateway, and gets a token for an hour. No key leaves the wallet.',
  )
  for (const { name, gateway } of players) {
    tell.sent('GET /auth/nonce, then POST /auth/verify', { wallet: name })
    const { wallet, expiresAt } = await gateway.signIn({ statement: 'Sign in to the claim financing demo.' })
    tell.got({ session: `${short(wallet)}, for ${Math.round((expiresAt - Date.now()) / 60_000)} minutes` })
  }
}

type Deal = { debtor: Player; holder: Player; token: Token }
type Terms = { number: string; face: bigint; days?: number; dueAt?: number }

/** @returns the ids of the claims */
async function bringInvoices(around: Surroundings, deal: Deal, terms: readonly Terms[]): Promise<string[]> {
  const { tell } = around
  const { debtor, holder, token } = deal
  const now = await around.chainTime()
  const invoices: Invoice[] = terms.map(({ number, face, days = 0, dueAt = now + days * DAY + DAY / 2 }) => ({
    number: `${number} ${now}`,
    token,
    face: face * 10n ** BigInt(token.decimals),
    dueAt,
  }))
  tell.step(
    `${debtor.name} attests ${many(invoices.length)}, ${holder.name} registers`,
    'Who owes the money signs what, to whom and when (EIP-712); that costs nothing. With that signature the claim is registered on chain, and becomes something that vaults can finance.',
  )
  const attested = await Promise.all(invoices.map((invoice) => attest(debtor, holder, invoice, now)))
  const claimIds: string[] = []
  for (const [index, { attestation, signature }] of attested.entries()) {
    tell.sent('ClaimAttestation, signed, registered by its holder', {
      'face value': amount(attestation.faceValue, token),
      due: new Date(Number(attestation.dueDate) * 1000).toISOString().replace('.000', ''),
      signature: short(signature),
    })
    const last = index === attested.length - 1
    const claimId = await register(
      holder,
      { attestation, signature },
      { until: last ? 'PROJECTED' : 'MINED', pollMs: 500 },
    )
    tell.got({ claim: short(claimId) })
    claimIds.push(claimId)
  }
  return claimIds
}

function many(count: number): string {
  return count === 1 ? 'one more invoice' : `${count} invoices`
}

async function financeByRoute(
  tell: Teller,
  { name, gateway }: Player,
  token: Token,
  claimIds: string[],
): Promise<void> {
  const targetAdvance = 15_000n * 10n ** BigInt(token.decimals)
  tell.step(
    `${name} asks for ${amount(targetAdvance, token)} now`,
    'The gateway looks for the cheapest way: which vault finances how much of which claim. Nothing is signed yet.',
  )
  tell.sent('POST /routes/optimize', {
    claims: String(claimIds.length),
    'target advance': amount(targetAdvance, token),
  })
  const { routeId, result, blockNumber } = await gateway.post('/api/v1/routes/optimize', {
    body: { claimIds, targetAdvance: targetAdvance.toString(), routeDeadlineSeconds: 300 },
  })
  if (routeId === null || !result.executable) throw new Error('there is no route: is the market empty?')
  const vaults = new Map(
    (await vaultsOf({ name, gateway, address: '' }, token)).map((vault) => [vault.vault, vault.name]),
  )
  tell.got({
    route: `${result.approximation}, planned on finalized block ${blockNumber}`,
    ...Object.fromEntries(
      result.legs.map((leg, index) => [
        `leg ${index + 1}`,
        `${amount(leg.faceAmount, token)} of claim ${short(leg.claimId)} by ${vaults.get(leg.vault)}`,
      ]),
    ),
    cost: `${amount(result.totals.totalCost, token)}, ${percent(result.totals.effectiveDiscountBps)} of the face`,
  })

  tell.step(
    'The route is prepared, signed and sent',
    'Every leg is checked again on the newest final block. The wallet signs the route as typed data: the router pays no less than it says, or nothing happens. Anyone could send it; here the holder does.',
  )
  tell.sent('POST /routes/:routeId/prepare-execution', { route: short(routeId) })
  const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', {
    params: { path: { routeId } },
  })
  tell.got({
    'execution id': short(prepared.executionId),
    advance: `${amount(prepared.totals.totalAdvance, token)} at least`,
    deadline: prepared.deadline,
  })
  tell.sent('eth_signTypedData_v4, then executeRoute(route, signature)')
  await gateway.runRoute(prepared, following(tell))

  tell.step(
    'GraphQL tells what happened',
    'One question for exactly what a page shows. Reads are of finalized blocks only, so nothing here is ever taken back.',
  )
  tell.sent('POST /graphql', { query: 'execution(executionId: …) { totalAdvance totalCost legs { … } }' })
  const { execution } = await gateway.ask(EXECUTION, { id: asHash(prepared.executionId) })
  if (!execution) throw new Error('the execution is projected, but GraphQL has none')
  tell.got({
    advanced: amount(execution.totalAdvance, token),
    cost: amount(execution.totalCost, token),
    ...Object.fromEntries(
      execution.legs.map(({ vault, claim, advanceAmount }, index) => [
        `leg ${index + 1}`,
        `${amount(advanceAmount, token)} by ${vault.name}; the claim is ${claim.state} now`,
      ]),
    ),
  })
}

const EXECUTION = graphql(`
  query ($id: Hash!) {
    execution(executionId: $id) {
      totalAdvance
      totalCost
      legs { advanceAmount vault { name } claim { state } }
    }
  }
`)

async function financeDirectly(
  tell: Teller,
  { name, gateway, address }: Player,
  token: Token,
  claimId: string,
): Promise<void> {
  tell.step(
    `${name} has it financed by a vault of its own choice`,
    'For one claim and one vault no signature is needed: the transaction itself says it all. This one is due within minutes, so the discount is small.',
  )
  const { faceValue, claimType } = await gateway.get('/api/v1/claims/{claimId}', {
    params: { path: { claimId } },
  })
  const [cheapest] = (await vaultsOf({ name, gateway, address }, token))
    .filter(({ mandate, fundableLiquidity }) => {
      const face = BigInt(faceValue)
      const fits = BigInt(mandate.minFace) <= face && face <= BigInt(mandate.maxFace)
      return fits && mandate.supportedTypes.includes(claimType) && BigInt(fundableLiquidity) >= face
    })
    .toSorted((a, b) => a.pricing.baseDiscountBps - b.pricing.baseDiscountBps)
  if (!cheapest) throw new Error('no vault takes this claim')
  tell.sent('POST /executions/prepare', { vault: cheapest.name, face: amount(faceValue, token) })
  const plan = await gateway.post('/api/v1/executions/prepare', {
    body: { claimId, vault: cheapest.vault, faceAmount: faceValue, deadlineSeconds: 60 },
  })
  tell.got({
    advance: amount(plan.totals.totalAdvance, token),
    cost: `${amount(plan.totals.totalCost, token)}, ${percent(plan.totals.effectiveDiscountBps)} of the face`,
    'would fail now': plan.issues.map(({ message }) => message).join('; ') || 'nothing',
  })
  tell.sent('eth_sendTransaction: executeFinancing')
  await gateway.run(plan, following(tell))
}

async function settle(
  { tell, until }: Surroundings,
  { name, gateway }: Player,
  token: Token,
  { claimId, dueAt }: { claimId: string; dueAt: number },
): Promise<void> {
  tell.step(
    `The invoice falls due, and ${name} pays`,
    'What the vault financed goes to the vault, the rest, if any, to the holder. Anyone may pay, from the due date on.',
  )
  tell.sent('(waiting for the due date)')
  await until(dueAt)
  tell.sent('POST /settlements/:claimId/prepare', { claim: short(claimId) })
  const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params: { path: { claimId } } })
  tell.got({
    'approvals first': String(plan.approvals.length || 'none: the router may take this much already'),
    'would fail now': plan.issues.map(({ message }) => message).join('; ') || 'nothing',
  })
  tell.sent('eth_sendTransaction: settle')
  await gateway.run(plan, following(tell))
  const { state } = await gateway.get('/api/v1/claims/{claimId}', { params: { path: { claimId } } })
  tell.got({ claim: `${state}, ${amount(plan.faceValue, token)} paid` })
}

/** Tells of a transaction on its way, asking often enough to see most of it. */
function following(tell: Teller): RunOptions {
  return {
    pollMs: 500,
    onSent: (hash) => tell.got({ transaction: short(hash) }),
    onStatus: ({ status, block }) => tell.got({ [status]: WORDS[status](block?.number) }),
  }
}

const WORDS: Record<Transaction['status'], (block?: number) => string> = {
  NOT_FOUND: () => 'no node knows it yet',
  PENDING: () => 'it waits to be mined',
  MINED: (block) => `in block ${block}, which is not final yet`,
  FINALIZED: (block) => `block ${block} is final`,
  PROJECTED: () => 'every read shows it',
  REVERTED: () => 'it failed',
}

function tellBalances(tell: Teller, token: Token, before: Map<string, bigint>, after: Map<string, bigint>) {
  tell.step(
    'What changed',
    'The holder has its money today, the debtor has paid what was due, and the vaults wait for the rest.',
  )
  const changes = new Map([...after].map(([name, cash]) => [name, cash - (before.get(name) ?? 0n)]))
  tell.table([
    ['', 'before', 'after', 'change'],
    ...[...after].map(([name, cash]) => [
      name,
      amount(before.get(name) ?? 0n, token),
      amount(cash, token),
      change(changes.get(name) ?? 0n, token),
    ]),
  ])
  return changes
}

function asHash(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
