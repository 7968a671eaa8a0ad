/** The first day of a world: issuers, tokens, vaults, approvals, first capital, and a drill of the pause. */
import { DEMO_WALLETS, ISSUERS, LENDERS, OPERATOR, TOKENS, walletActor, wholeTokens } from './accounts.ts'
import { HOUR } from './draw-claims.ts'
import { lend, type Market } from './market.ts'
import type { Action, Step, WorldScale } from './plan.ts'
import { at } from './random.ts'

/** Larger than any amount; a token's allowance of it is never used up here. */
const UNLIMITED = 2n ** 256n - 1n

/** Whole tokens minted per claim to everyone who lends or settles: none of them can run dry. */
const PER_CLAIM = 500_000
/** Whole tokens that a wallet starts with. */
const WALLET_FLOAT = 25_000
/** An allowance of the router that the first wallet never used: a token that resets is approved from zero only. */
const STALE_ALLOWANCE = { wallet: at(DEMO_WALLETS, 0), token: 1, amount: wholeTokens(1, 500) }

export function openingSteps(world: { startsAt: number; scale: WorldScale; market: Market }): Step[] {
  const { startsAt, scale, market } = world
  return [
    { at: startsAt + HOUR, actions: [...admissions(), ...vaultCreations(market)] },
    { at: startsAt + 2 * HOUR, actions: [...mints(scale), ...approvals(market)] },
    { at: startsAt + 3 * HOUR, actions: firstCapital(market) },
    { at: startsAt + 4 * HOUR, actions: [{ kind: 'pause' }] },
    { at: startsAt + 5 * HOUR, actions: [{ kind: 'unpause' }] },
  ]
}

function admissions(): Action[] {
  return ISSUERS.map((issuer) => ({ kind: 'setIssuerActive', issuer, active: true }))
}

function vaultCreations({ vaults }: Market): Action[] {
  return vaults.map(({ index }) => ({ kind: 'createVault', vault: index }))
}

function mints(scale: WorldScale): Action[] {
  const payers = [...ISSUERS, ...LENDERS, OPERATOR]
  const wallets = Array.from({ length: scale.wallets }, (_, index) => walletActor(index))
  return TOKENS.flatMap((_, token) => [
    ...payers.map((to) => mint(token, to, PER_CLAIM * Math.max(100, scale.claims))),
    ...wallets.map((to) => mint(token, to, WALLET_FLOAT)),
  ])
}

function mint(token: number, to: number, amount: number): Action {
  return { kind: 'mint', token, to, amount: wholeTokens(token, amount) }
}

function approvals({ vaults }: Market): Action[] {
  const { wallet, token, amount } = STALE_ALLOWANCE
  return [
    ...TOKENS.flatMap((_, index) => ISSUERS.map((owner) => approveRouter(index, owner, UNLIMITED))),
    ...vaults.flatMap(({ index, token: asset }) =>
      LENDERS.map((owner): Action => {
        return { kind: 'approve', token: asset, owner, spender: { vault: index }, amount: UNLIMITED }
      }),
    ),
    approveRouter(token, wallet, amount),
  ]
}

function approveRouter(token: number, owner: number, amount: bigint): Action {
  return { kind: 'approve', token, owner, spender: 'router', amount }
}

/** Two thirds of a vault's capital come from its curator. */
function firstCapital({ vaults }: Market): Action[] {
  return vaults.flatMap((vault) => {
    const fromOther = vault.capital / 3n
    return LENDERS.map((lender): Action => {
      const assets = lender === vault.curator ? vault.capital - fromOther : fromOther
      lend(vault, lender, assets)
      return { kind: 'deposit', vault: vault.index, lender, assets }
    })
  })
}
