import type { Address } from 'viem'
import { safeNumber } from '../domain/integer.ts'
import { supportedTypes } from '../domain/mandate.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import { lockedProfit, sharePrice, totalAssets, yieldToDateBps } from '../domain/vault.ts'
import { readOverdueFace } from '../projection/dues.ts'
import type { Filter } from '../projection/filter.ts'
import type { Page } from '../projection/page.ts'
import type { FinalizedThrough, Snapshot } from '../projection/snapshot.ts'
import { listVaults as readVaults, type VaultRow } from '../projection/vault.ts'
import { answer } from './answer.ts'
import { readPageAnswer } from './pagination.ts'
import { createRouter } from './router.ts'
import { presentToken, type WithToken, withTokens } from './token-info.ts'
import { listVaults } from './vaults.routes.ts'

export function vaults() {
  return createRouter().openapi(listVaults, async (c) => {
    const { active, token, limit, cursor } = c.req.valid('query')
    const { through, body } = await readPageAnswer(
      c,
      (snapshot) =>
        readWithOverdueFace(snapshot, {
          filter: vaultFilter(active, token),
          orderBy: 'registeredAt',
          direction: 'asc',
          limit,
          after: cursor,
          cursorPath: 'cursor',
        }),
      presentVault,
    )
    return answer(c, through, body)
  })
}

function vaultFilter(active: 'true' | 'false' | 'all', token?: Address): Filter<'active' | 'token'> {
  return {
    and: [
      ...(active === 'all'
        ? []
        : [{ column: 'active' as const, is: 'eq' as const, value: active === 'true' }]),
      ...(token ? [{ column: 'token' as const, is: 'eq' as const, value: token }] : []),
    ],
  }
}

type VaultWithOverdueFace = WithToken<VaultRow> & { overdueFace: bigint }

async function readWithOverdueFace(
  snapshot: Snapshot,
  request: Parameters<typeof readVaults>[1],
): Promise<Page<VaultWithOverdueFace>> {
  const page = await readVaults(snapshot, request)
  const overdue = await readOverdueFace(
    snapshot,
    'vault',
    page.items.map(({ address }) => address),
  )
  const rows = await withTokens(snapshot, page.items)
  return { ...page, items: rows.map((row, index) => ({ ...row, overdueFace: overdue[index] ?? 0n })) }
}

function presentVault(row: VaultWithOverdueFace, { timestamp }: FinalizedThrough) {
  return {
    address: row.address,
    token: row.token,
    tokenInfo: presentToken(row.tokenRow),
    name: row.name,
    symbol: row.symbol,
    shareDecimals: row.tokenRow.decimals,
    curator: row.curator,
    active: row.active,
    fundableLiquidity: formatMoney(row.idleAssets),
    mandate: {
      supportedTypesBitmap: row.supportedTypesBitmap.toString(),
      supportedTypes: supportedTypes(row.supportedTypesBitmap),
      maxDurationDays: Number(row.maxDurationDays),
      minFace: formatMoney(row.minFace),
      maxFace: formatMoney(row.maxFace),
    },
    capital: {
      totalAssets: formatMoney(totalAssets(row, timestamp)),
      sharePrice: formatMoney(sharePrice(row, row.tokenRow.decimals, timestamp)),
      yieldToDateBps: safeNumber(yieldToDateBps(row, timestamp)),
      lockedProfit: formatMoney(lockedProfit(row, timestamp)),
      fundableLiquidity: formatMoney(row.idleAssets),
      outstandingFace: formatMoney(row.outstandingFace),
      outstandingAdvance: formatMoney(row.outstandingAdvance),
      outstandingImpairment: formatMoney(row.outstandingImpairment),
      impairedFace: formatMoney(row.impairedFace),
      overdueFace: formatMoney(row.overdueFace),
      totalShares: formatMoney(row.totalShares),
      discountEarned: formatMoney(row.discountEarned),
    },
    pricing: {
      baseDiscountBps: row.baseDiscountBps,
      durationBpsPerDay: row.durationBpsPerDay,
      premiumBps: row.premiumBps,
    },
    registeredAt: formatTime(row.registeredAt),
    registeredBlock: Number(row.registeredBlock),
  }
}
