/** `POST /routes/{routeId}/prepare-execution`: the planned legs, within the bounds of the request for the plan. */
import { hashTypedData } from 'viem'
import { executeRouteAbi, executionRoute } from '../generated/contracts.ts'
import { at, type Expected, hexAt, integerAt, isSameHex, listAt, mismatch, Rule } from './compare.ts'
import { type Deployment, toAddress } from './deployment.ts'
import {
  type Leg,
  legsOf,
  optional,
  refuseLater,
  secondsAt,
  sum,
  timeOf,
  tokenOf,
  typedDataOf,
} from './parts.ts'
import type { Prepared } from './prepared.ts'

/** Default of `routeDeadlineSeconds`. */
const DEADLINE_SECONDS = 300

export function route(prepared: Prepared): Expected {
  const { answer, deployment, wallet, plan } = prepared
  if (!plan) throw new Error('a route is prepared by its plan')
  const legs = plan.legs.map((leg, index) => ({ ...legIn(leg), ...advanceIn(answer, index) }))
  refuseOutOfBounds(plan.body, legs)
  const deadline = secondsAt(answer, 'deadline')
  const seconds = Number(at(plan.body, 'routeDeadlineSeconds') ?? DEADLINE_SECONDS)
  refuseLater({ ...prepared, requestedAt: plan.requestedAt }, 'deadline', deadline, seconds)
  const totalFace = sum(legs.map(({ faceAmount }) => faceAmount))
  const message = {
    user: wallet,
    token: hexAt(answer, 'typedData.message.token'),
    legs: legs.map(({ advanceAmount: _, ...leg }) => leg),
    targetAdvance: integerAt(plan.body, 'targetAdvance'),
    maxTotalFace: optional(plan.body, 'maxTotalFace') ?? totalFace,
    nonce: integerAt(answer, 'typedData.message.nonce'),
    deadline,
  }
  const domain = domainOf(deployment)
  const hash = hashTypedData({ ...executionRoute, domain, message })
  const digest = new Rule('the digest of `typedData`', (received) => isSameHex(received, hash))
  return {
    typedData: typedDataOf(executionRoute, domain, message),
    executionId: digest,
    deadline: timeOf(deadline),
    tokenInfo: tokenOf(prepared, message.token),
    ...legsOf(legs),
    submit: {
      to: toAddress(deployment.contracts.financingRouter),
      functionName: 'executeRoute',
      abi: new Rule(
        'that of `executeRoute`',
        (abi) => JSON.stringify(abi) === JSON.stringify(executeRouteAbi),
      ),
    },
  }
}

function legIn(planned: unknown): Pick<Leg, 'claimId' | 'vault' | 'faceAmount'> {
  return {
    claimId: hexAt(planned, 'claimId'),
    vault: hexAt(planned, 'vault'),
    faceAmount: integerAt(planned, 'faceAmount'),
  }
}

/** The quote is fresh, so it is not that of the plan; the router pays at least this. */
function advanceIn(answer: unknown, index: number) {
  const minimumAdvanceAmount = integerAt(answer, `legs.${index}.minimumAdvanceAmount`)
  return { minimumAdvanceAmount, advanceAmount: minimumAdvanceAmount }
}

function refuseOutOfBounds(body: unknown, legs: readonly Leg[]): void {
  const allowed = listAt(body, 'claimIds').map((id) => String(id).toLowerCase())
  const foreign = legs.findIndex(({ claimId }) => !allowed.includes(claimId))
  if (foreign >= 0)
    throw mismatch(`legs.${foreign}.claimId`, legs[foreign]?.claimId, 'one of the requested `claimIds`')
  const face = sum(legs.map(({ faceAmount }) => faceAmount))
  const advance = sum(legs.map(({ minimumAdvanceAmount }) => minimumAdvanceAmount))
  const target = integerAt(body, 'targetAdvance')
  const maxFace = optional(body, 'maxTotalFace')
  const maxCost = optional(body, 'maxTotalCost')
  if (advance < target || advance > face)
    throw mismatch('totals.totalAdvance', `${advance}`, `between ${target} and ${face}`)
  if (maxFace !== undefined && face > maxFace)
    throw mismatch('totals.totalFace', `${face}`, `at most ${maxFace}, the requested \`maxTotalFace\``)
  if (maxCost !== undefined && face - advance > maxCost)
    throw mismatch(
      'totals.totalCost',
      `${face - advance}`,
      `at most ${maxCost}, the requested \`maxTotalCost\``,
    )
}

function domainOf({ chainId, contracts }: Deployment) {
  const verifyingContract = toAddress(contracts.financingRouter)
  return { ...executionRoute.domain, chainId: BigInt(chainId), verifyingContract }
}
