import type { Context } from 'hono'
import { supportedTypes } from '../../domain/mandate.ts'
import { formatMoney } from '../../domain/money.ts'
import { formatTime } from '../../domain/time.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { AppEnv } from '../../http/env.ts'
import type { FinancingDeps } from '../../prepare/deps.ts'
import { type PreparedTerms, prepareTerms, type TermsRequest } from '../../prepare/terms.ts'
import { CLAIMS_NAMED, readTermsEffects } from '../../prepare/terms-effects.ts'
import { presentFinalizedThrough } from '../shared/answer.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { presentRefusal } from '../shared/refusal.ts'
import { createRouter } from '../shared/router.ts'
import { findNames, readQuietly } from '../shared/vault-names.ts'
import { type Effects, prepareTermsRoute } from './terms.routes.ts'

type TermsDeps = Omit<FinancingDeps, 'lens'>

export function terms(deps: TermsDeps) {
  return createRouter().openapi(prepareTermsRoute, async (c) => {
    const { vault } = c.req.valid('param')
    const { action, mandate, pricing } = c.req.valid('json')
    const request = { wallet: requireSession(c).wallet, vault, action, mandate, pricing }
    const prepared = await prepareTerms(deps, request, c.get('pinBlock'))
    const names = await findNames(c, prepared.token, [vault])
    const { next, effectiveAt, atOnce, replacesPending } = prepared
    const pending = findPending(deps.head, prepared.block.number, { vaults: [vault] })
    return c.json(
      {
        ...presentPreparedTransaction(prepared, pending),
        vault,
        vaultName: names.nameOf(vault),
        tokenInfo: names.token,
        action,
        mandate: {
          supportedTypesBitmap: formatMoney(next.mandate.supportedTypesBitmap),
          supportedTypes: supportedTypes(next.mandate.supportedTypesBitmap),
          minDurationDays: next.mandate.minDurationDays,
          maxDurationDays: next.mandate.maxDurationDays,
          minFace: formatMoney(next.mandate.minFace),
          maxFace: formatMoney(next.mandate.maxFace),
          maxClaimFace: formatMoney(next.mandate.maxClaimFace),
          maxIssuerFace: formatMoney(next.mandate.maxIssuerFace),
        },
        pricing: { ...next.pricing, premiumBps: [...next.pricing.premiumBps] },
        atOnce,
        effectiveAt: effectiveAt === undefined ? null : formatTime(effectiveAt),
        replacesPending,
        effects: (await findEffects(c, deps, request, prepared)) ?? null,
      },
      200,
    )
  })
}

async function findEffects(
  c: Context<AppEnv>,
  { store, clock }: TermsDeps,
  { action, vault }: TermsRequest,
  { token, present, next }: PreparedTerms,
): Promise<Effects | undefined> {
  if (action === 'revoke') return undefined
  return readQuietly(c, async (snapshot) => {
    const reads = { snapshot, store, now: new Date(clock()) }
    const { newlyAccepted, newlyRefused, ...counts } = await readTermsEffects(reads, {
      vault,
      token,
      present,
      next,
    })
    return {
      finalizedThrough: presentFinalizedThrough(snapshot.finalizedThrough),
      ...counts,
      newlyAccepted: { count: newlyAccepted.length, claimIds: newlyAccepted.slice(0, CLAIMS_NAMED) },
      newlyRefused: {
        count: newlyRefused.length,
        claims: newlyRefused
          .slice(0, CLAIMS_NAMED)
          .map(({ claimId, ...refusal }) => ({ claimId, ...presentRefusal(refusal) })),
      },
    }
  })
}
