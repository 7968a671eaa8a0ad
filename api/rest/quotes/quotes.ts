import type { z } from '@hono/zod-openapi'
import { remainingFace } from '../../domain/claim.ts'
import { effectiveDiscountBps } from '../../domain/discount.ts'
import type { Issue } from '../../domain/issues.ts'
import { formatMoney } from '../../domain/money.ts'
import { formatTime } from '../../domain/time.ts'
import { findObstacle } from '../../head/obstacle.ts'
import { findPending } from '../../head/pending.ts'
import { type Preview, type PreviewDeps, previewQuotes, type VaultQuote } from '../../routing/preview.ts'
import { presentIssue } from '../shared/prepared.ts'
import { presentRefusal } from '../shared/refusal.ts'
import { createRouter } from '../shared/router.ts'
import { presentPending } from '../shared/unfinalized.ts'
import { findNames, type NameOf } from '../shared/vault-names.ts'
import { previewQuotesRoute, type quotePreview } from './quotes.routes.ts'

export function quotes(deps: PreviewDeps) {
  return createRouter().openapi(previewQuotesRoute, async (c) => {
    const { claimId, faceAmount, vault } = c.req.valid('json')
    const preview = await previewQuotes(deps, { claimId, faceAmount, vault }, c.get('pinBlock'))
    const vaults = [...preview.quotes, ...preview.refusedVaults].map((entry) => entry.vault)
    const { nameOf, token } = await findNames(c, preview.claim.token, vaults)
    const parts = { claims: [claimId], vaults: preview.quotes.map((quote) => quote.vault) }
    const pendingChanges = presentPending(findPending(deps.head, preview.block.number, parts))
    const issuesOf = (quote: VaultQuote) =>
      findObstacle(deps.head, preview.block.number, {
        legs: [{ ...quote, faceValue: preview.claim.faceValue }],
      })
    return c.json({ ...presentPreview(preview, nameOf, issuesOf), tokenInfo: token, pendingChanges }, 200)
  })
}

function presentPreview(
  preview: Preview,
  nameOf: NameOf,
  issuesOf: (quote: VaultQuote) => readonly Issue[],
): Omit<z.output<typeof quotePreview>, 'tokenInfo' | 'pendingChanges'> {
  const { block, claim, refusal, routeRefusal, refusedVaults } = preview
  return {
    claimId: claim.claimId,
    token: claim.token,
    remainingFace: formatMoney(remainingFace(claim)),
    dueDate: formatTime(claim.dueAt),
    refusal: refusal ? presentRefusal(refusal) : null,
    routeRefusal: routeRefusal ? presentRefusal(routeRefusal) : null,
    quotes: preview.quotes.map((quote) => ({
      ...presentQuote(quote, nameOf),
      issues: issuesOf(quote).map(presentIssue),
    })),
    refusedVaults: refusedVaults.map(({ vault, ...why }) => ({
      vault,
      vaultName: nameOf(vault),
      ...presentRefusal(why),
    })),
    blockNumber: Number(block.number),
  }
}

function presentQuote({ vault, faceAmount, discountAmount, advance, totalBps }: VaultQuote, nameOf: NameOf) {
  return {
    vault,
    vaultName: nameOf(vault),
    faceAmount: formatMoney(faceAmount),
    discountAmount: formatMoney(discountAmount),
    advanceAmount: formatMoney(advance),
    totalBps: Number(totalBps),
    effectiveDiscountBps: Number(effectiveDiscountBps(discountAmount, faceAmount)),
  }
}
