/**
 * Sends one transaction and waits for it, whatever has happened to it before. Its nonce is fixed, so at most one is
 * ever mined.
 */
import type { Context, Step } from './context.ts'
import { DeployError } from './errors.ts'
import { readFees } from './fees.ts'
import { recordSent } from './journal.ts'
import { estimateGas, hasTransaction, readBlock, readNonce, readReceipt } from './node.ts'

/** Consecutive looks at which the node has no trace of a transaction before it counts as dropped. */
const MISSING_MAX = 10

/** @throws DeployError */
export async function perform(context: Context, step: Step): Promise<void> {
  if (await isSettled(context, step)) return
  await submit(context, step)
  await untilSettled(context, step)
}

/**
 * Whether the effect is there and confirmed.
 * @throws DeployError if the nonce is used and the effect is not there, so that it never will be
 */
export async function isSettled(context: Context, step: Step): Promise<boolean> {
  const block = await confirmedBlock(context)
  const used = await readNonce(context.node, context.journal.deployer, block)
  if (used <= step.nonce) return false
  if (await step.isDone(block)) return true
  // Between the two reads the block can be replaced, and anvil answers for its latest one while it mines the next.
  if ((await readNonce(context.node, context.journal.deployer, block)) <= step.nonce) return false
  throw await failureOf(context, step)
}

/** The last block that has enough confirmations. */
export async function confirmedBlock({ node, request }: Context): Promise<number> {
  const { number } = await readBlock(node, 'latest')
  return Math.max(0, number - (request.confirmations - 1))
}

/**
 * Gas with room for a state that differs when the transaction is mined. @throws DeployError if it reverts, or the
 * estimate is impossible
 */
export async function gasLimit(
  { node, journal }: Context,
  { name, to, data, leastGas }: Step,
): Promise<bigint> {
  const estimate = await estimateGas(node, { from: journal.deployer, ...(to && { to }), data })
  if (estimate < leastGas) {
    throw new DeployError(
      'NODE_ANSWER_INVALID',
      `${node.name} estimates ${estimate} gas for ${name}, which needs at least ${leastGas}`,
    )
  }
  return (estimate * 6n) / 5n
}

/**
 * A transaction that is pending is sent again, in case its fee was too low. The node accepts it with a higher fee, or
 * refuses it.
 */
async function submit(context: Context, step: Step): Promise<void> {
  const { node, signer, journal, request } = context
  const { deployer, chainId } = journal
  if ((await readNonce(node, deployer, 'latest')) > step.nonce) return
  if (!signer)
    throw new DeployError('KEY_MISSING', `${step.name} is not deployed; give the key of ${deployer}`)
  const fees = await readFees(node, request.maxFee)
  const gas = await gasLimit(context, step)
  const { nonce, to, data } = step
  const signed = await signer.sign({ chainId, nonce, ...(to && { to }), data, gas, ...fees })
  recordSent(request.folder, journal, step, signed.hash)
  try {
    recordSent(request.folder, journal, step, await signed.send(node))
  } catch (error) {
    if (!(await isKnown(context, step))) throw refused(step, error)
  }
}

/** The answer of the node to a transaction may be lost, or state that it has the transaction. */
async function isKnown(context: Context, step: Step): Promise<boolean> {
  const { node, journal } = context
  if ((await readNonce(node, journal.deployer, 'pending')) > step.nonce) return true
  for (const hash of hashesOf(context, step)) if (await hasTransaction(node, hash)) return true
  return false
}

async function untilSettled(context: Context, step: Step): Promise<void> {
  const { request, clock, pause } = context
  const deadline = clock() + request.waitMs
  for (let missing = 0; missing < MISSING_MAX; ) {
    if (await isSettled(context, step)) return
    if (clock() >= deadline) throw pending(context, step)
    missing = (await isKnown(context, step)) ? 0 : missing + 1
    await pause(request.pollMs)
  }
  throw new DeployError(
    'TRANSACTION_DROPPED',
    `${described(context, step)} is not mined, and the node no longer has it. Run the same command again: it is sent with the same nonce.`,
  )
}

/** Why the effect is missing although the nonce is used. */
async function failureOf(context: Context, step: Step): Promise<DeployError> {
  for (const hash of hashesOf(context, step)) {
    const receipt = await readReceipt(context.node, hash)
    if (!receipt) continue
    const place = `${step.name}: transaction ${hash} in block ${receipt.blockNumber}`
    if (receipt.status === '0x0')
      return new DeployError('TRANSACTION_REVERTED', `${place} reverted. ${START_AGAIN}`)
    return new DeployError(
      'NO_EFFECT',
      `${place} succeeded according to the node, but has no effect. Compare with another node.`,
    )
  }
  return new DeployError(
    'TRANSACTION_REPLACED',
    `${step.name}: nonce ${step.nonce} of ${context.journal.deployer} was used by another transaction. ${START_AGAIN}`,
  )
}

const START_AGAIN =
  'If it is the creation of a contract, its address cannot be reached: move the journal away to deploy again, with an account that sends nothing else.'

function refused(step: Step, error: unknown): unknown {
  if (!(error instanceof DeployError) || error.code !== 'NODE_REFUSED') return error
  return new DeployError(
    'SEND_REFUSED',
    `${step.name} with nonce ${step.nonce} is not sent: ${error.message}`,
    { cause: error },
  )
}

function pending(context: Context, step: Step): DeployError {
  const { waitMs } = context.request
  return new DeployError(
    'TRANSACTION_PENDING',
    `${described(context, step)} is not confirmed after ${waitMs / 1000} s. Run the same command again to go on waiting; it is sent again if fees have risen.`,
  )
}

function described(context: Context, step: Step): string {
  return `${step.name}: transaction ${hashesOf(context, step).at(-1) ?? ''} with nonce ${step.nonce}`
}

function hashesOf({ journal }: Context, { name, nonce }: Step) {
  const sent = journal.sent[name]
  return sent?.nonce === nonce ? sent.hashes : []
}
