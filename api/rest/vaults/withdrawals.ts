import type { Context } from 'hono'
import type { Address } from 'viem'
import { formatMoney } from '../../domain/money.ts'
import { formatTime } from '../../domain/time.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { AppEnv } from '../../http/env.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { prepareWithdrawal } from '../../prepare/withdrawal.ts'
import { type DueFace, readDueDays } from '../../projection/tables/due-days.ts'
import { presentFinalizedThrough } from '../shared/answer.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { findNames, readQuietly } from '../shared/vault-names.ts'
import { presentPosition, presentPricedAt, toAsked } from './shares.ts'
import { type ContractualRepayments, prepareWithdrawalRoute } from './withdrawals.routes.ts'

export function withdrawals(deps: PrepareDeps) {
  return createRouter().openapi(prepareWithdrawalRoute, async (c) => {
    const { vault } = c.req.valid('param')
    const { slippageBps, ...body } = c.req.valid('json')
    const { wallet } = requireSession(c)
    const receiver = body.receiver ?? wallet
    const asked = toAsked(body)
    const request = { wallet, vault, receiver, asked, slippageBps }
    const prepared = await prepareWithdrawal(deps, request, c.get('pinBlock'))
    const { token, exchange, bound, position } = prepared
    const names = await findNames(c, token, [vault])
    const parts = { vaults: [vault], sharesOf: wallet }
    const isOfAssets = asked?.unit === 'assets'
    return c.json(
      {
        ...presentPreparedTransaction(prepared, findPending(deps.head, prepared.block.number, parts)),
        vault,
        vaultName: names.nameOf(vault),
        tokenInfo: names.token,
        receiver,
        assets: formatMoney(exchange.assets),
        shares: formatMoney(exchange.shares),
        maxShares: isOfAssets ? formatMoney(bound) : null,
        minAssets: isOfAssets ? null : formatMoney(bound),
        pricedAt: presentPricedAt(exchange.at),
        position: presentPosition(position),
        contractualRepayments: (await findRepayments(c, vault)) ?? null,
      },
      200,
    )
  })
}

function findRepayments(c: Context<AppEnv>, vault: Address): Promise<ContractualRepayments | undefined> {
  return readQuietly(c, async (snapshot) => {
    const { overdue, days, later } = await readDueDays(snapshot, vault)
    return {
      finalizedThrough: presentFinalizedThrough(snapshot.finalizedThrough),
      overdue: presentFace(overdue),
      days: days.map(({ dueDay, ...rest }) => ({ dueDay: formatTime(dueDay), ...presentFace(rest) })),
      later: presentFace(later),
    }
  })
}

function presentFace({ faceAmount, allocations }: DueFace) {
  return { faceAmount: formatMoney(faceAmount), allocations: Number(allocations) }
}
