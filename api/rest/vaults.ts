import type { Address } from 'viem'
import { supportedTypes } from '../domain/mandate.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import { totalAssets } from '../domain/vault.ts'
import type { Filter } from '../projection/filter.ts'
import { listVaults as readVaults, type VaultRow } from '../projection/vault.ts'
import { answer } from './answer.ts'
import { readPageAnswer } from './pagination.ts'
import { createRouter } from './router.ts'
import { listVaults } from './vaults.routes.ts'

export function vaults() {
  return createRouter().openapi(listVaults, async (c) => {
    const { active, token, limit, cursor } = c.req.valid('query')
    const { through, body } = await readPageAnswer(
      c,
      (snapshot) =>
        readVaults(snapshot, {
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

function presentVault(row: VaultRow) {
  return {
    vault: row.address,
    token: row.token,
    name: row.name,
    symbol: row.symbol,
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
      totalAssets: formatMoney(totalAssets(row)),
      fundableLiquidity: formatMoney(row.idleAssets),
      outstandingFace: formatMoney(row.outstandingFace),
      outstandingAdvance: formatMoney(row.outstandingAdvance),
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
