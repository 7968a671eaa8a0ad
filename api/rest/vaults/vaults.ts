import type { z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { asOfVariable } from '../shared/as-of.ts'
import { PAGE_INFO, presentPage, type SelectedPage } from '../shared/pagination.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { TOKEN_INFO } from '../shared/token-info.ts'
import { listVaults, type vault } from './vaults.routes.ts'

type Vault = z.output<typeof vault>

type Selected = Omit<Vault, 'token' | 'curator' | 'fundableLiquidity'> & {
  readonly curator: { readonly address: Address }
}

const readVaults = createDocumentReader<{ vaults: SelectedPage<Selected> }>(`
  query ($filter: VaultFilter!, $limit: Int!, $cursor: String, $asOf: AsOf) {
    vaults(filter: $filter, first: $limit, after: $cursor, asOf: $asOf) {
      nodes {
        address ${TOKEN_INFO} name symbol shareDecimals curator { address } active
        mandate {
          supportedTypesBitmap supportedTypes minDurationDays maxDurationDays minFace maxFace maxClaimFace maxIssuerFace
        }
        capital {
          totalAssets entryAssets sharePrice entryPrice yieldToDateBps writtenDown fundableLiquidity
          outstandingFace outstandingAdvance overdueFace totalShares discountEarned
        }
        pricing { baseDiscountBps durationBpsPerDay premiumBps }
        registeredAt registeredBlock
      }
      ${PAGE_INFO}
    }
  }`)

export function vaults(deps: ReadDeps) {
  return createRouter().openapi(listVaults, (c) => {
    const { active, token, ...page } = c.req.valid('query')
    const filter = { ...(active !== 'all' && { active: active === 'true' }), ...(token && { token }) }
    return answerRead(
      c,
      deps,
      (reader) => readVaults(reader, { filter, ...page, asOf: asOfVariable(page) }),
      ({ vaults }) => presentPage(vaults, presentVault),
    )
  })
}

function presentVault({ curator, ...own }: Selected): Vault {
  return {
    ...own,
    token: own.tokenInfo.address,
    curator: curator.address,
    fundableLiquidity: own.capital.fundableLiquidity,
  }
}
