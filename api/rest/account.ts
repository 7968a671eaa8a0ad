import type { Address } from 'viem'
import { readTokenBalances, type TokenBalance } from '../chain/balances.ts'
import type { Deps } from '../deps.ts'
import { PAGE_LIMIT_MAX } from '../domain/limits.ts'
import { formatMoney } from '../domain/money.ts'
import { listClaims } from '../projection/claim.ts'
import { type CreditRow, readCreditsOfAccounts } from '../projection/credit.ts'
import { listPositions, type PositionRow } from '../projection/position.ts'
import type { Snapshot } from '../projection/snapshot.ts'
import { getAccount } from './account.routes.ts'
import { answer, readProjection } from './answer.ts'
import { presentClaim } from './claims.ts'
import { createRouter } from './router.ts'
import { pageWithTokens, presentToken, type WithToken, withTokens } from './token-info.ts'

export function account(deps: Pick<Deps, 'chain' | 'deployment' | 'labels'>) {
  return createRouter().openapi(getAccount, async (c) => {
    const { wallet } = c.req.valid('param')
    const page = c.req.valid('query')
    const read = await readProjection(c, (snapshot) => readHoldings(snapshot, wallet, page))
    // The snapshot is closed by now: no database connection waits for the chain.
    const [balances = []] = await readTokenBalances(deps, read.finalizedThrough, [wallet])
    return answer(c, read.finalizedThrough, {
      wallet,
      balances: balances.map(presentBalance),
      claims: {
        items: read.claims.items.map((row) =>
          presentClaim(row, read.finalizedThrough.timestamp, deps.labels),
        ),
        nextCursor: read.claims.nextCursor,
      },
      positions: read.positions.items.map(presentPosition),
      credits: read.credits.map(presentCredit),
    })
  })
}

type PageOfClaims = { limit: number; cursor?: string | undefined }

async function readHoldings(snapshot: Snapshot, wallet: Address, { limit, cursor }: PageOfClaims) {
  const page = await listClaims(snapshot, {
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
  const claims = await pageWithTokens(snapshot, page)
  const [credits = []] = await readCreditsOfAccounts(snapshot, [wallet])
  const { finalizedThrough } = snapshot
  return { claims, positions, credits: await withTokens(snapshot, credits), finalizedThrough }
}

function presentBalance(held: TokenBalance) {
  return { ...held, balance: formatMoney(held.balance) }
}

function presentCredit({ token, tokenRow, amount }: WithToken<CreditRow>) {
  return { token, tokenInfo: presentToken(tokenRow), amount: formatMoney(amount) }
}

function presentPosition({ vault, shares }: PositionRow) {
  return { vault, shares: formatMoney(shares) }
}
