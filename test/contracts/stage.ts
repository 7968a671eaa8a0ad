/**
 * Where the property test plays: tokens of 0, 6, 18 and 36 decimals, five vaults, well-supplied parties, and the model
 * of all that.
 */

import { type Address, createPublicClient, type Hex, http, maxUint256 } from 'viem'
import { foundry } from 'viem/chains'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import type { Party } from '../support/parties.ts'
import { createSmartWallet, deployForTest, type World } from '../support/protocol.ts'
import { approve, chainTime, createVault, mint, setTokenListed } from '../support/scenario.ts'
import { type Model, type ModelVault, move } from './model.ts'

const NOBODY: Address = '0x0000000000000000000000000000000000000000'
/** Base units for each unit of the amounts below and of the steps: not round ones, so that all roundings occur. */
const UNITS = { coin: 1n, ether: 10n ** 12n + 39n, blocking: 1n, fine: 10n ** 30n + 57n }
/**
 * Seconds of notice. Days to the due date: least and most. Face: of the smallest lot, of the largest, and the most of
 * one claim and of one issuer.
 */
const VAULTS = [
  {
    token: 'coin',
    types: [0, 1, 2],
    notice: 0,
    durations: [0, 30],
    faces: [1n, 20_000n, 12_000n, 30_000n],
    base: 100,
    perDay: 3,
  },
  {
    token: 'coin',
    types: [0, 3],
    notice: 100_000,
    durations: [2, 90],
    faces: [50n, 60_000n, 60_000n, 1_000_000n],
    base: 20,
    perDay: 9,
  },
  {
    token: 'ether',
    notice: 1,
    types: [0, 1, 2, 3],
    durations: [1, 20],
    faces: [5n, 30_000n, 240_000n, 60_000n],
    base: 0,
    perDay: 25,
  },
  {
    token: 'blocking',
    notice: 200_000,
    types: [0, 1],
    durations: [0, 60],
    faces: [1n, 50_000n, 400_000n, 1_000_000n],
    base: 300,
    perDay: 10,
  },
  {
    token: 'fine',
    notice: 5_000,
    types: [0, 1],
    durations: [0, 60],
    faces: [1n, 50_000n, 400_000n, 1_000_000n],
    base: 9_000,
    perDay: 10,
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
  /** Enters and leaves: the curator, who gains no more by it than others. */
  visitor: Party
  /** The second has nothing to pay with. */
  payers: [Party, Party]
  tokens: Address[]
  /** The one of the tokens that blocks accounts. */
  blocking: Address
  vaults: Address[]
  /** Base units of each token for one unit of a step's amounts. */
  units: Map<Address, bigint>
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
  const visitor = world.parties.curator
  const blocking = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
  await setTokenListed(world, { token: blocking, listed: true })
  const tokenOf = {
    coin: await newToken(world, 0),
    ether: await newToken(world, 18),
    blocking,
    fine: await newToken(world, 36),
  }
  const tokens = Object.values(tokenOf)
  const units = new Map(names.map((name) => [tokenOf[name], UNITS[name]]))
  const vaults: Address[] = []
  for (const terms of VAULTS) {
    const supportedTypesBitmap = terms.types.reduce((bitmap, type) => bitmap | (1n << BigInt(type)), 0n)
    const mandate = { supportedTypesBitmap, ...boundsOf(terms) }
    const pricing = { baseDiscountBps: terms.base, durationBpsPerDay: terms.perDay, premiumBps: [0, 40] }
    vaults.push(
      (
        await createVault(world, {
          token: tokenOf[terms.token],
          noticePeriod: terms.notice,
          mandate,
          pricing,
        })
      ).vault,
    )
  }
  for (const token of tokens) {
    const spenders = [world.protocol.financingRouter, ...vaults]
    for (const owner of [...providers, visitor, payer, relayer, issuer, otherIssuer]) {
      for (const spender of spenders) await approve(world, { owner, token, spender, amount: maxUint256 })
    }
    for (const owner of [...providers, visitor, payer, issuer, otherIssuer])
      await mint(world, { token, to: owner.address, amount: SUPPLY * (units.get(token) ?? 1n) })
  }
  const people = [...users, ...providers, visitor, payer, relayer, issuer, otherIssuer].map(
    (party) => party.address,
  )
  const start = await chainTime(world)
  const issuers = [issuer, otherIssuer]
  const rich = [...providers, visitor, payer, ...issuers]
  const freshModel = () => modelOf(world, start, { issuers, rich, vaults, tokenOf })
  const holders = [...people, ...vaults, world.protocol.financingRouter]
  const reader = createReader(world.rpcUrl)
  return {
    world,
    reader,
    users,
    issuers,
    providers,
    visitor,
    blocking,
    payers: [payer, relayer],
    tokens,
    vaults,
    units,
    holders,
    freshModel,
  }
}

function modelOf(
  world: World,
  now: bigint,
  {
    issuers,
    rich,
    vaults,
    tokenOf,
  }: { issuers: Party[]; rich: Party[]; vaults: Address[]; tokenOf: TokenOf },
): Model {
  const model: Model = {
    now,
    chainId: BigInt(world.chainId),
    claimRegistry: world.protocol.claimRegistry,
    router: world.protocol.financingRouter,
    paused: false,
    issuers: new Map(issuers.map((party) => [party.address, true])),
    claims: new Map<Hex, never>(),
    documents: new Map(),
    cancelled: new Set(),
    vaults: new Map(vaults.flatMap((address, at) => emptyVault(tokenOf, address, at))),
    balances: new Map(),
    nonces: new Map(),
    credits: new Map(),
    held: new Map(),
  }
  for (const name of names) {
    for (const party of rich) move(model, tokenOf[name], NOBODY, party.address, SUPPLY * UNITS[name])
  }
  return model
}

type TokenName = keyof typeof UNITS
type TokenOf = Record<TokenName, Address>
const names: readonly TokenName[] = ['coin', 'ether', 'blocking', 'fine']

async function newToken(world: World, decimals: number): Promise<Address> {
  const args = [`Token of ${decimals} decimals`, `T${decimals}`, decimals]
  const token = await deployForTest(world, demoTokenAbi, demoTokenBytecode, args)
  await setTokenListed(world, { token, listed: true })
  return token
}

/** Limits of a mandate; those of face in base units. */
function boundsOf({ token, durations, faces }: (typeof VAULTS)[number]) {
  const [minDurationDays, maxDurationDays] = durations
  const [minFace, maxFace, maxClaimFace, maxIssuerFace] = faces
  const inUnits = (face: bigint) => face * UNITS[token]
  return {
    minDurationDays,
    maxDurationDays,
    minFace: inUnits(minFace),
    maxFace: inUnits(maxFace),
    maxClaimFace: inUnits(maxClaimFace),
    maxIssuerFace: inUnits(maxIssuerFace),
  }
}

function emptyVault(tokenOf: TokenOf, address: Address, at: number): [Address, ModelVault][] {
  const terms = VAULTS[at]
  if (!terms) return []
  const { types } = terms
  return [
    [
      address,
      {
        token: tokenOf[terms.token],
        active: true,
        mandate: { types, ...boundsOf(terms) },
        pricing: { baseDiscountBps: terms.base, durationBpsPerDay: terms.perDay, premiumBps: [0, 40] },
        noticePeriod: BigInt(terms.notice),
        pending: undefined,
        idleAssets: 0n,
        outstandingFace: 0n,
        outstandingAdvance: 0n,
        financed: new Map(),
        totalSupply: 0n,
        ledger: { moves: 0n, providers: new Map() },
      },
    ],
  ]
}
