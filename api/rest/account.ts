import type { Address } from 'viem'
import type { TokenInfo } from '../../deployments/manifest.ts'
import { readBalances } from '../chain/balances.ts'
import { type PinnedBlock, pinProjectedBlock } from '../chain/pin-block.ts'
import type { Deps } from '../deps.ts'
import { PAGE_LIMIT_MAX } from '../domain/limits.ts'
import { formatMoney } from '../domain/money.ts'
import { listClaims } from '../projection/claim.ts'
import { listPositions, type PositionRow } from '../projection/position.ts'
import type { Snapshot } from '../projection/snapshot.ts'
import { getAccount } from './account.routes.ts'
import { presentClaim } from './claims.ts'
import { createRouter } from './router.ts'
import { answer, readProjection } from './wire.ts'

export function account(deps: Pick<Deps, 'chain' | 'deployment'>) {
  return createRouter().openapi(getAccount, async (c) => {
    const { wallet } = c.req.valid('param')
    const page = c.req.valid('query')
    const read = await readProjection(c, (snapshot) => readHoldings(snapshot, wallet, page))
    // The snapshot is closed by now: no database connection waits for the chain.
    const block = await pinProjectedBlock(deps.chain, read.finalizedThrough)
    const balances = await readTokenBalances(deps, block, wallet)
    return answer(c, read.finalizedThrough, {
      wallet,
      balances,
      claims: {
        items: read.claims.items.map((row) => presentClaim(row, read.finalizedThrough.timestamp)),
        nextCursor: read.claims.nextCursor,
      },
      positions: read.positions.items.map(presentPosition),
    })
  })
}

type PageOfClaims = { limit: number; cursor?: string | undefined }

async function readHoldings(snapshot: Snapshot, wallet: Address, { limit, cursor }: PageOfClaims) {
  const claims = await listClaims(snapshot, {
    filter: { column: 'beneficiary', is: 'eq', value: wallet },
    orderBy: 'registeredAt',
    direction: 'desc',
    limit,
    after: cursor,
    cursorPath: 'cursor',
  })
  const positions = await listPositions(snapshot, {
    filter: {
      and: [
        { column: 'owner', is: 'eq', value: wallet },
        { column: 'shares', is: 'gt', value: 0n },
      ],
    },
    orderBy: 'owner',
    direction: 'asc',
    limit: PAGE_LIMIT_MAX,
  })
  return { claims, positions, finalizedThrough: snapshot.finalizedThrough }
}

async function readTokenBalances(
  { chain, deployment: { tokens } }: Pick<Deps, 'chain' | 'deployment'>,
  block: PinnedBlock,
  wallet: Address,
) {
  const addresses = tokens.map(({ address }) => address)
  const amounts = await readBalances(chain, block, wallet, addresses)
  return tokens.map((token, i) => presentBalance(token, amounts[i] ?? 0n))
}

function presentBalance({ address, symbol, decimals }: TokenInfo, balance: bigint) {
  return { token: address, symbol, decimals, balance: formatMoney(balance) }
}

function presentPosition({ vault, shares }: PositionRow) {
  return { vault, shares: formatMoney(shares) }
}
