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
import { type Stage, setStage, transactionOf } from './transactions.ts'

export type World = Stage & { manifest: Manifest; accounts: readonly DemoAccount[] }
/** Called after every block with the share of blocks done. */
export type Progress = (done: number, total: number) => void

/** Above anvil's base fee whatever happens: the base fee begins at 1 gwei and falls in blocks this empty. */
const GAS_PRICE = 4_000_000_000n
/** Holds any step of any scale. */
const BUILDING_GAS_LIMIT = 2n ** 50n
/** anvil's own. */
const DEFAULT_GAS_LIMIT = 30_000_000n

/**
 * Needs an anvil that is new, mines each transaction at once, has its genesis at `plan.startsAt` and unlocks an account
 * for every actor (`startWorldChain` gives one). Leaves it mining each transaction at once, at the plan's present.
 * @throws Error naming the action that reverted
 */
export async function buildWorld(
  rpcUrl: string,
  plan: WorldPlan,
  onProgress: Progress = () => {},
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
  const nonces = await createNonces(rpc, accounts)
  await playSteps(rpc, stage, nonces, onProgress)
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
async function playSteps(rpc: RpcBatch, stage: Stage, nonces: Nonces, onProgress: Progress): Promise<void> {
  const { steps } = stage.plan
  let sends = await sendsOf(stage, nonces, steps[0])
  for (const [index, step] of steps.entries()) {
    const played = playStep(rpc, step, sends, steps[index - 1])
    const [next] = await Promise.all([sendsOf(stage, nonces, steps[index + 1]), played])
    sends = next
    onProgress(index + 1, steps.length)
  }
  const [answer] = await rpc([RECEIPTS])
  checkReceipts(answer, steps.at(-1))
}

const RECEIPTS: RpcCall = ['eth_getBlockReceipts', ['latest']]

async function playStep(
  rpc: RpcBatch,
  step: Step,
  sends: readonly RpcCall[],
  before: Step | undefined,
): Promise<void> {
  const [answer] = await rpc([RECEIPTS, ...sends])
  checkReceipts(answer, before)
  await mine(rpc, step.at)
}

/** Within a block anvil sorts by price: a falling price keeps the planned order, however the sends arrive. */
async function sendsOf(stage: Stage, nonces: Nonces, step: Step | undefined): Promise<RpcCall[]> {
  if (!step) return []
  const transactions = await Promise.all(step.actions.map((action) => transactionOf(stage, action, step.at)))
  return transactions.map(({ from, to, data, gas }, index) => {
    const gasPrice = numberToHex(GAS_PRICE + BigInt(transactions.length - index))
    const nonce = numberToHex(nonces.next(from))
    return ['eth_sendTransaction', [{ from, to, data, gas: numberToHex(gas), gasPrice, nonce }]]
  })
}

async function mine(rpc: RpcBatch, timestamp: number): Promise<void> {
  await rpc([['evm_mine', [{ timestamp }]]])
}

const blockReceipts = z.array(
  z.object({ status: z.string(), transactionIndex: z.string(), transactionHash: z.string() }),
)

/** @param step that the last block has; undefined before the first one */
function checkReceipts(answer: unknown, step: Step | undefined): void {
  if (!step) return
  const { actions } = step
  const receipts = blockReceipts.parse(answer)
  if (receipts.length !== actions.length) {
    throw new Error(`the block holds ${receipts.length} of the ${actions.length} planned transactions`)
  }
  const failed = receipts.find((receipt) => receipt.status !== '0x1')
  if (failed) {
    const action = actions[Number(failed.transactionIndex)]
    throw new Error(`${failed.transactionHash} reverted: ${describe(action)}`)
  }
}

function describe(action: Action | undefined): string {
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
