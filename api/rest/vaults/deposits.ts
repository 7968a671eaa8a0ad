import { formatMoney } from '../../domain/money.ts'
import { formatTime } from '../../domain/time.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import { prepareDeposit } from '../../prepare/deposit.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { findNames } from '../shared/vault-names.ts'
import { prepareDepositRoute } from './deposits.routes.ts'
import { presentPricedAt, toAsked } from './shares.ts'

export function deposits(deps: PrepareDeps) {
  return createRouter().openapi(prepareDepositRoute, async (c) => {
    const { vault } = c.req.valid('param')
    const { slippageBps, permit, ...body } = c.req.valid('json')
    const { wallet } = requireSession(c)
    const receiver = body.receiver ?? wallet
    const asked = toAsked(body)
    if (!asked) throw new Error('the schema requires assets or shares')
    const request = { wallet, vault, receiver, asked, slippageBps, permit }
    const prepared = await prepareDeposit(deps, request, c.get('pinBlock'))
    const { token, entry, bound, offered } = prepared
    const names = await findNames(c, token, [vault])
    const pending = findPending(deps.head, prepared.block.number, { vaults: [vault] })
    return c.json(
      {
        ...presentPreparedTransaction(prepared, pending),
        vault,
        vaultName: names.nameOf(vault),
        tokenInfo: names.token,
        receiver,
        assets: formatMoney(entry.assets),
        shares: formatMoney(entry.shares),
        minShares: asked.unit === 'assets' ? formatMoney(bound) : null,
        maxAssets: asked.unit === 'shares' ? formatMoney(bound) : null,
        exitAssets: formatMoney(entry.exitAssets),
        permit: offered ? { ...offered, deadline: formatTime(offered.deadline) } : null,
        pricedAt: presentPricedAt(entry.at),
      },
      200,
    )
  })
}
