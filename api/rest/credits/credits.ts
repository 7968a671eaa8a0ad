import { zeroAddress } from 'viem'
import { formatMoney } from '../../domain/money.ts'
import { validationFailed } from '../../errors.ts'
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
    const { token, receiver = account } = c.req.valid('json')
    if (receiver === zeroAddress || receiver === deps.deployment.contracts.financingRouter) {
      throw validationFailed([
        { path: 'receiver', message: 'must be neither the zero address nor the router' },
      ])
    }
    const prepared = await prepareCreditWithdrawal(deps, { account, token, receiver }, c.get('pinBlock'))
    const names = await findNames(c, token)
    const body = {
      ...presentPreparedTransaction(prepared),
      account,
      token,
      tokenInfo: names.token,
      receiver,
      amount: formatMoney(prepared.amount),
    }
    return c.json(body, 200)
  })
}
