/** A chain for deployments, with an id of its own, and what a run of `deploy` needs on it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type Hex, keccak256, parseEther, stringToHex } from 'viem'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import type { Request } from '../../deploy/context.ts'
import { deploy } from '../../deploy/deploy.ts'
import { DeployError } from '../../deploy/errors.ts'
import { journalFile } from '../../deploy/journal.ts'
import { createNode } from '../../deploy/node.ts'
import { keySigner, type Signer } from '../../deploy/signer.ts'
import { connect } from '../../nodes/connect.ts'
import { startAnvil } from '../support/anvil.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { lowercase, wellKnownParties } from '../support/parties.ts'

export const CHAIN_ID = 84_532

/** An account with a balance and a folder, which no other deployment uses. */
export type Deployer = { key: Hex; signer: Signer; folder: string }
export type Stage = Awaited<ReturnType<typeof startStage>>

export async function startStage() {
  const anvil = await startAnvil({ chainId: CHAIN_ID })
  const folders: string[] = []
  return {
    ...anvil,
    async newDeployer(balance = parseEther('10')): Promise<Deployer> {
      const key = keccak256(stringToHex(`deployer ${folders.length}`))
      const folder = mkdtempSync(join(tmpdir(), 'claim-financing-deploy-'))
      folders.push(folder)
      const signer = keySigner(key)
      await anvil.client.setBalance({ address: signer.address, value: balance })
      return { key, signer, folder }
    },
    async stop() {
      for (const folder of folders) rmSync(folder, { recursive: true })
      await anvil.stop()
    },
  }
}

/** @returns the lowercase address of a token */
export async function deployToken({ client }: Stage, symbol: string, decimals = 6): Promise<Address> {
  const hash = await client.deployContract({
    abi: demoTokenAbi,
    bytecode: demoTokenBytecode,
    args: [`Token ${symbol}`, symbol, decimals],
    account: wellKnownParties().relayer.key,
    chain: null,
  })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the token was not deployed')
  return lowercase(contractAddress)
}

type Change = {
  url?: string
  request?: Partial<Request>
  /** `none`: no account is given. */
  signer?: Signer | 'none'
  pause?: (ms: number) => Promise<unknown>
}

/** Between two attempts, which are up to 2 s apart otherwise. */
const PAUSE_MAX_MS = 10

/** Runs `deploy` as far as it gets. @returns its manifest, and what it printed */
export async function run(stage: Stage, deployer: Deployer, change: Change = {}) {
  const { signer = deployer.signer } = change
  const printed: string[] = []
  const pause = change.pause ?? ((ms: number) => sleep(Math.min(ms, PAUSE_MAX_MS)))
  const connection = connect(change.url ?? stage.rpcUrl, 'the node', { timeout: NODE_TIMEOUT_MS })
  const manifest = await deploy(requestOf(deployer.folder, change.request), {
    node: createNode(connection, pause),
    ...(signer !== 'none' && { signer }),
    clock: Date.now,
    pause,
    print: (line) => printed.push(line),
  })
  return { manifest, printed: printed.join('\n') }
}

function requestOf(folder: string, change: Partial<Request> = {}): Request {
  return {
    chainId: CHAIN_ID,
    roles: {},
    tokens: [],
    maxFee: 100_000_000_000n,
    confirmations: 1,
    waitMs: NODE_TIMEOUT_MS,
    pollMs: 10,
    dryRun: false,
    folder,
    ...change,
  }
}

/** The code and message of the expected error. */
export async function failure(run: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await run.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof DeployError) return { code: error.code, message: error.message }
  throw error
}

/** The files of a deployment, as text. */
export function filesOf({ folder }: Deployer) {
  return {
    journal: readFileSync(journalFile(folder, CHAIN_ID), 'utf8'),
    manifest: readFileSync(join(folder, `${CHAIN_ID}.json`), 'utf8'),
  }
}
