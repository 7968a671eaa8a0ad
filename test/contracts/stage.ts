/** Where the property test plays: two tokens, three vaults, well-supplied parties, and the model of all that. */
import { type Address, createPublicClient, type Hex, http, maxUint256 } from 'viem'
import { foundry } from 'viem/chains'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import type { Party } from '../support/parties.ts'
import { createSmartWallet, type World } from '../support/protocol.ts'
import { approve, chainTime, createVault, mint } from '../support/scenario.ts'
import { type Model, type ModelVault, move } from './model.ts'

const NOBODY: Address = '0x0000000000000000000000000000000000000000'
const VAULTS = [
  {
    token: 'usd',
    types: [0, 1, 2],
    maxDurationDays: 30,
    minFace: 1n,
    maxFace: 20_000n,
    base: 100,
    perDay: 3,
  },
  { token: 'usd', types: [0, 3], maxDurationDays: 90, minFace: 50n, maxFace: 60_000n, base: 20, perDay: 9 },
  {
    token: 'eur',
    types: [0, 1, 2, 3],
    maxDurationDays: 20,
    minFace: 5n,
    maxFace: 30_000n,
    base: 0,
    perDay: 25,
  },
] as const
const SUPPLY = 1_000_000n

export type Stage = {
  world: World
  /** Answers many reads in one request. */
  reader: ReturnType<typeof createReader>
  users: Party[]
  issuers: Party[]
  providers: Party[]
  /** The second has nothing to pay with. */
  payers: [Party, Party]
  tokens: Address[]
  vaults: Address[]
  /** Everyone who may ever hold a token. */
  holders: Address[]
  freshModel: () => Model
}

function createReader(rpcUrl: string) {
  return createPublicClient({
    chain: foundry,
    transport: http(rpcUrl, { batch: { batchSize: 500, wait: 0 }, retryCount: 0, timeout: NODE_TIMEOUT_MS }),
    cacheTime: 0,
  })
}

export async function setStage(world: World): Promise<Stage> {
  const { beneficiary, otherBeneficiary, issuer, otherIssuer, provider, stranger, payer, relayer } =
    world.parties
  const users = [beneficiary, await createSmartWallet(world, otherBeneficiary)]
  const providers = [provider, stranger]
  const tokens = [world.usd, world.eur]
  const vaults: Address[] = []
  for (const terms of VAULTS) {
    const { minFace, maxFace, maxDurationDays } = terms
    const supportedTypesBitmap = terms.types.reduce((bitmap, type) => bitmap | (1n << BigInt(type)), 0n)
    const mandate = { supportedTypesBitmap, maxDurationDays, minFace, maxFace }
    const pricing = { baseDiscountBps: terms.base, durationBpsPerDay: terms.perDay, premiumBps: [0, 40] }
    vaults.push((await createVault(world, { token: world[terms.token], mandate, pricing })).vault)
  }
  for (const token of tokens) {
    const spenders = [world.protocol.financingRouter, ...vaults]
    for (const owner of [...providers, payer, relayer, issuer, otherIssuer]) {
      for (const spender of spenders) await approve(world, { owner, token, spender, amount: maxUint256 })
    }
    for (const owner of [...providers, payer, issuer, otherIssuer])
      await mint(world, { token, to: owner.address, amount: SUPPLY })
  }
  const people = [...users, ...providers, payer, relayer, issuer, otherIssuer].map((party) => party.address)
  const start = await chainTime(world)
  const issuers = [issuer, otherIssuer]
  const freshModel = () => modelOf(world, start, { issuers, rich: [...providers, payer, ...issuers], vaults })
  const holders = [...people, ...vaults]
  const reader = createReader(world.rpcUrl)
  return {
    world,
    reader,
    users,
    issuers,
    providers,
    payers: [payer, relayer],
    tokens,
    vaults,
    holders,
    freshModel,
  }
}

function modelOf(
  world: World,
  now: bigint,
  { issuers, rich, vaults }: { issuers: Party[]; rich: Party[]; vaults: Address[] },
): Model {
  const model: Model = {
    now,
    chainId: BigInt(world.chainId),
    claimRegistry: world.protocol.claimRegistry,
    paused: false,
    issuers: new Map(issuers.map((party) => [party.address, true])),
    claims: new Map<Hex, never>(),
    documents: new Map(),
    cancelled: new Set(),
    vaults: new Map(vaults.flatMap((address, at) => emptyVault(world, address, at))),
    balances: new Map(),
    nonces: new Map(),
  }
  for (const token of [world.usd, world.eur]) {
    for (const party of rich) move(model, token, NOBODY, party.address, SUPPLY)
  }
  return model
}

function emptyVault(world: World, address: Address, at: number): [Address, ModelVault][] {
  const terms = VAULTS[at]
  if (!terms) return []
  const { types, maxDurationDays, minFace, maxFace } = terms
  return [
    [
      address,
      {
        token: world[terms.token],
        active: true,
        mandate: { types, maxDurationDays, minFace, maxFace },
        pricing: { baseDiscountBps: terms.base, durationBpsPerDay: terms.perDay, premiumBps: [0, 40] },
        idleAssets: 0n,
        outstandingFace: 0n,
        outstandingAdvance: 0n,
        totalSupply: 0n,
      },
    ],
  ]
}
