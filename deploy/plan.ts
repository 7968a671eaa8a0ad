/** The plan of a run: the addresses, the transactions that remain, and their cost. */
import type { Address } from 'viem'
import { CONTRACTS, type Protocol, protocolAddresses, type Roles } from '../contracts/protocol.ts'
import type { Context, Environment, Request, Step } from './context.ts'
import { creationSteps } from './creations.ts'
import { DeployError } from './errors.ts'
import { type Fees, readFees } from './fees.ts'
import { type Journal, newJournal } from './journal.ts'
import { readBalance, readBlock, readNonce } from './node.ts'
import { confirmedBlock, gasLimit, isSettled } from './perform.ts'
import { isListed, LISTING_GAS, listingSteps, requireListable } from './tokens.ts'

/** A transaction that remains, with the most gas that it may use. */
export type Remaining = { step: Step; gas: bigint }

export type Cost = Fees & { /** Wei. */ total: bigint; balance: bigint }

/** @param deployer lowercase @throws DeployError `DEPLOYER_BUSY` */
export async function planDeployment(
  { node }: Environment,
  { chainId }: Request,
  { deployer, genesis, roles }: Pick<Journal, 'deployer' | 'genesis'> & { roles: Roles },
): Promise<Journal> {
  const [mined, all] = [await readNonce(node, deployer, 'latest'), await readNonce(node, deployer, 'pending')]
  if (all !== mined) {
    throw new DeployError(
      'DEPLOYER_BUSY',
      `${deployer} has ${all - mined} pending transactions. Wait until they are mined, or use an account that sends nothing else.`,
    )
  }
  const { number: final } = await readBlock(node, 'finalized')
  const { number: latest } = await readBlock(node, 'latest')
  if (final > latest) {
    throw new DeployError(
      'NODE_ANSWER_INVALID',
      `${node.name} has finalized block ${final}, but latest block ${latest}`,
    )
  }
  // A transaction that is sent after a block is final is mined in a later one.
  return newJournal({ chainId, genesis, deployer, firstNonce: mined, startBlock: final + 1, roles })
}

export function protocolOf({ deployer, firstNonce }: Journal): Protocol {
  return protocolAddresses(deployer, firstNonce)
}

/** The steps that are not confirmed, in their order. @throws DeployError also if one of them can never be */
export async function remainingSteps(context: Context): Promise<Step[]> {
  const creations: Step[] = []
  for (const step of creationSteps(context)) if (!(await isSettled(context, step))) creations.push(step)
  return [...creations, ...(await remainingListings(context, creations.length === 0))]
}

async function remainingListings(context: Context, hasRegistry: boolean): Promise<Step[]> {
  const { node, journal, request } = context
  const block = await confirmedBlock(context)
  const tokens: Address[] = []
  for (const { address } of request.tokens) {
    if (hasRegistry && (await isListed(context, address, block))) continue
    await requireListable(node, address, block)
    tokens.push(address)
  }
  const { deployer, firstNonce, roles } = journal
  if (tokens.length > 0 && roles.tokenManager !== deployer) {
    throw new DeployError(
      'TOKEN_NOT_LISTABLE',
      `only the token manager, ${roles.tokenManager}, can list ${tokens.join(', ')}. Deploy without --token; run again with it when the token manager has listed the tokens.`,
    )
  }
  const used = await readNonce(node, deployer, block)
  const next = Math.max(firstNonce + CONTRACTS.length, await readNonce(node, deployer, 'pending'))
  return listingSteps(context, tokens, { used, next })
}

/** @returns the most gas of each step; that of a listing is assumed while its registry does not exist */
export async function withGas(context: Context, steps: readonly Step[]): Promise<Remaining[]> {
  const remaining: Remaining[] = []
  for (const step of steps)
    remaining.push({ step, gas: step.to ? LISTING_GAS : await gasLimit(context, step) })
  return remaining
}

export async function costOf(
  { node, journal, request }: Context,
  remaining: readonly Remaining[],
): Promise<Cost> {
  const fees = await readFees(node, request.maxFee)
  const gas = remaining.reduce((sum, each) => sum + each.gas, 0n)
  return { ...fees, total: gas * fees.maxFeePerGas, balance: await readBalance(node, journal.deployer) }
}
