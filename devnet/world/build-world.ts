/** Plays a plan on a chain: one block per step, at exactly the planned time. */
import { type Address, createWalletClient, http, numberToHex } from 'viem'
import { foundry } from 'viem/chains'
import { z } from 'zod'
import type { Manifest } from '../../deployments/manifest.ts'
import { type DemoAccount, demoAccount } from '../accounts.ts'
import { deployDevnet } from '../deployment.ts'
import { createRpcBatch, type RpcBatch, type RpcCall } from '../rpc.ts'
import { OPERATOR } from './accounts.ts'
import type { Action, Step, WorldPlan } from './plan.ts'
import { at } from './random.ts'
import { type Stage, setStage, type Transaction, transactionOf } from './transactions.ts'

export type World = Stage & { manifest: Manifest; accounts: readonly DemoAccount[] }
/** Called after every block with the share of blocks done. */
export type Progress = (done: number, total: number) => void
/** The transactions that are sent for those that were planned, in their order. */
export type Envelope = (planned: readonly Transaction[]) => readonly Transaction[]

/** Above anvil's base fee whatever happens: the base fee begins at 1 gwei and falls in blocks this empty. */
const GAS_PRICE = 4_000_000_000n
/** Holds any step of any scale. */
const BUILDING_GAS_LIMIT = 2n ** 50n
/** anvil's own. */
const DEFAULT_GAS_LIMIT = 30_000_000n

/**
 * Needs an anvil that is new, mines each transaction at once, has its genesis at `plan.startsAt` and unlocks an account
 * for every actor (`startWorldChain` gives one). Leaves it mining each transaction at once, at the plan's present.
 * @param openEnvelope called with the new contracts; by default each action is a transaction of its own
 * @throws Error naming the action that reverted
 */
export async function buildWorld(
  rpcUrl: string,
  plan: WorldPlan,
  onProgress: Progress = () => {},
  openEnvelope: (stage: Stage, rpc: RpcBatch) => Promise<Envelope> = async () => (planned) => planned,
): Promise<World> {
  const accounts = plan.actors.map(demoAccount)
  const deployer = createWalletClient({
    account: at(accounts, OPERATOR).signer,
    chain: foundry,
    transport: http(rpcUrl, { retryCount: 0, timeout: 60_000 }),
    pollingInterval: 20,
    cacheTime: 0,
  })
  const manifest = await deployDevnet(deployer, plan.tokens)
  const stage = setStage(plan, manifest, accounts)
  const rpc = createRpcBatch(rpcUrl)
  await rpc([
    ['evm_setAutomine', [false]],
    ['evm_setBlockGasLimit', [numberToHex(BUILDING_GAS_LIMIT)]],
  ])
  const envelope = await openEnvelope(stage, rpc)
  await playSteps(rpc, stage, await createSends(rpc, stage, envelope), onProgress)
  await rpc([['evm_setBlockGasLimit', [numberToHex(DEFAULT_GAS_LIMIT)]]])
  // Two blocks more than the last step, so that everything planned is final.
  for (const before of [2, 1, 0]) await mine(rpc, plan.endsAt - before)
  await rpc([['evm_setAutomine', [true]]])
  return stage
}

/**
 * The transactions of a step are made while the step before it is on its way; its receipts are read with the sends of
 * the next.
 */
async function playSteps(
  rpc: RpcBatch,
  { plan: { steps } }: Stage,
  sendsOf: (step: Step | undefined) => Promise<Sends | undefined>,
  onProgress: Progress,
): Promise<void> {
  let before: Sends | undefined
  let sends = await sendsOf(steps[0])
  for (const [index] of steps.entries()) {
    const played = playStep(rpc, sends, before)
    const [next] = await Promise.all([sendsOf(steps[index + 1]), played])
    before = sends
    sends = next
    onProgress(index + 1, steps.length)
  }
  const [answer] = await rpc([RECEIPTS])
  checkReceipts(answer, before)
}

const RECEIPTS: RpcCall = ['eth_getBlockReceipts', ['latest']]

async function playStep(rpc: RpcBatch, sends: Sends | undefined, before: Sends | undefined): Promise<void> {
  if (!sends) return
  const [answer] = await rpc([RECEIPTS, ...sends.calls])
  checkReceipts(answer, before)
  await mine(rpc, sends.step.at)
}

/** The calls that send the transactions of a step. */
type Sends = { step: Step; calls: readonly RpcCall[] }

/** Within a block anvil sorts by price: a falling price keeps the planned order, however the sends arrive. */
async function createSends(
  rpc: RpcBatch,
  stage: Stage,
  envelope: Envelope,
): Promise<(step: Step | undefined) => Promise<Sends | undefined>> {
  const nonces = await createNonces(rpc, stage.accounts)
  return async (step) => {
    if (!step) return undefined
    const planned = await Promise.all(step.actions.map((action) => transactionOf(stage, action, step.at)))
    const transactions = envelope(planned)
    const calls = transactions.map(({ from, to, data, gas }, index): RpcCall => {
      const gasPrice = numberToHex(GAS_PRICE + BigInt(transactions.length - index))
      const nonce = numberToHex(nonces.next(from))
      return ['eth_sendTransaction', [{ from, to, data, gas: numberToHex(gas), gasPrice, nonce }]]
    })
    return { step, calls }
  }
}

async function mine(rpc: RpcBatch, timestamp: number): Promise<void> {
  await rpc([['evm_mine', [{ timestamp }]]])
}

const blockReceipts = z.array(
  z.object({ status: z.string(), transactionIndex: z.string(), transactionHash: z.string() }),
)

/** @param sends of the last block; undefined before the first one */
function checkReceipts(answer: unknown, sends: Sends | undefined): void {
  if (!sends) return
  const { step, calls } = sends
  const receipts = blockReceipts.parse(answer)
  if (receipts.length !== calls.length) {
    throw new Error(`the block holds ${receipts.length} of the ${calls.length} planned transactions`)
  }
  const failed = receipts.find((receipt) => receipt.status !== '0x1')
  if (failed) {
    const index = Number(failed.transactionIndex)
    // The receipt of an envelope does not say which of its actions reverted.
    const action = calls.length === step.actions.length && step.actions[index]
    throw new Error(`${failed.transactionHash} reverted${action ? `: ${describe(action)}` : ''}`)
  }
}

function describe(action: Action): string {
  return JSON.stringify(action, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

type Nonces = { next: (account: Address) => number }

async function createNonces(rpc: RpcBatch, accounts: readonly DemoAccount[]): Promise<Nonces> {
  const calls = accounts.map(({ address }): RpcCall => ['eth_getTransactionCount', [address, 'latest']])
  const counts = await rpc(calls)
  const used = new Map(accounts.map(({ address }, index) => [address, Number(counts[index])]))
  return {
    next: (account) => {
      const nonce = used.get(account)
      if (nonce === undefined) throw new Error(`${account} is not an account of the plan`)
      used.set(account, nonce + 1)
      return nonce
    },
  }
}
