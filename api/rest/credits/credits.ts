import { formatMoney } from '../../domain/money.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import { prepareCreditWithdrawal } from '../../prepare/credit-withdrawal.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { findNames } from '../shared/vault-names.ts'
import { prepareCreditWithdrawalRoute } from './credits.routes.ts'

export function credits(deps: PrepareDeps) {
  return createRouter().openapi(prepareCreditWithdrawalRoute, async (c) => {
    const account = requireSession(c).wallet
    const { token } = c.req.valid('json')
    const prepared = await prepareCreditWithdrawal(deps, { account, token }, c.get('pinBlock'))
    const names = await findNames(c, token)
    const body = {
      ...presentPreparedTransaction(
        prepared,
        findPending(deps.head, prepared.block.number, { creditsOf: account }),
      ),
      account,
      token,
      tokenInfo: names.token,
      amount: formatMoney(prepared.amount),
    }
    return c.json(body, 200)
  })
}
