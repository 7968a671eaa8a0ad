/** Gateway processes over a projection and a Postgres of their own, with wallets that each have a claim to finance. */
import { seededRandom } from '../../../api/domain/random.ts'
import { newAccount } from '../../support/accounts.ts'
import { diceOf } from '../../support/dice.ts'
import { startDurablePostgres } from '../../support/durable-postgres.ts'
import { lowercase, type Party } from '../../support/parties.ts'
import { type Replica, startReplicaWorld } from '../../support/replica.ts'
import * as act from '../../support/scenario.ts'
import { catchUp } from '../indexer/progress.ts'
import { supervise } from '../indexer/supervised.ts'

export const USD = 1_000_000n
export const CLAIM_FACE = 1_000_000n * USD

export const SEED = Number(process.env.FAULTS_SEED ?? 21)

/**
 * Milliseconds: below the length of a fault, so that it is met. A busy machine may meet it without a fault, as a 503.
 */
const TIMEOUT_MS = 3000

/** So that only the faults refuse anything. All clients have one address. */
const UNLIMITED = {
  RATE_LIMIT_DEFAULT: '1000000000',
  RATE_LIMIT_SIGN_IN: '1000000000',
  RATE_LIMIT_PREPARE: '1000000000',
  RATE_LIMIT_QUOTE: '1000000000',
  RATE_LIMIT_COST: '1000000000',
  READS_PER_CLIENT: '1000',
  READ_QUEUE_PER_CLIENT: '100000',
  READ_QUEUE_MAX: '100000',
  OPTIMIZER_QUEUE: '10000',
}

export const FAULT_ENV = {
  ...UNLIMITED,
  DATABASE_TIMEOUT_MS: `${TIMEOUT_MS}`,
  READ_TIMEOUT_MS: `${2 * TIMEOUT_MS}`,
  MIN_BLOCK_WAIT_MS: `${TIMEOUT_MS}`,
  // A kept answer would hide a fault.
  KEPT_ANSWERS_SIZE: '0',
}

export type Wallet = Party & { claimId: `0x${string}` }

/** @param wallets how many; each gets a claim that the one vault finances */
export async function startFaultWorld(
  wallets: number,
  postgresOptions: Parameters<typeof startDurablePostgres>[0] = {},
) {
  const the = await startReplicaWorld()
  const { world } = the
  const vault = await act.createFundedVault(world, { token: world.usd, capital: 1_000_000n * CLAIM_FACE })
  const owners: Wallet[] = []
  for (let i = 0; i < wallets; i++) owners.push(await createWallet(world))
  const postgres = await startDurablePostgres(postgresOptions)
  const indexer = await supervise(world, postgres.urls.indexer)
  await catchUp(world, postgres.pool)
  const start = (env: Record<string, string> = {}, port?: number): Promise<Replica> =>
    the.start({
      databaseUrl: postgres.urls.gateway,
      ...(port !== undefined && { port }),
      env: { ...FAULT_ENV, ...env },
    })
  return {
    world,
    vault,
    wallets: owners,
    postgres,
    indexer,
    start,
    dice: diceOf(seededRandom(SEED)),
    stop: async () => {
      await indexer.stop()
      await the.stop()
      await postgres.remove()
    },
  }
}

export type FaultWorld = Awaited<ReturnType<typeof startFaultWorld>>

async function createWallet(world: Parameters<typeof act.registerClaim>[0]): Promise<Wallet> {
  const key = newAccount()
  const address = lowercase(key.address)
  return { kind: 'EOA', key, address, claimId: await registerClaimOf(world, address) }
}

export async function registerClaimOf(
  world: Parameters<typeof act.registerClaim>[0],
  beneficiary: `0x${string}`,
): Promise<`0x${string}`> {
  const { issuer } = world.parties
  const terms = { issuer, beneficiary, token: world.usd, faceValue: CLAIM_FACE }
  return (await act.registerClaim(world, terms)).claimId
}
