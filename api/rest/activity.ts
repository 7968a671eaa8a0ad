import { formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import { type ActivityRow, listActivity as readActivity } from '../projection/activity.ts'
import { listActivity } from './activity.routes.ts'
import { answer } from './answer.ts'
import { readPageAnswer } from './pagination.ts'
import { createRouter } from './router.ts'
import { pageWithTokens, presentToken, type WithToken } from './token-info.ts'

export function activity() {
  return createRouter().openapi(listActivity, async (c) => {
    const { wallet } = c.req.valid('param')
    const { limit, cursor } = c.req.valid('query')
    const { through, body } = await readPageAnswer(
      c,
      async (snapshot) => {
        const page = await readActivity(snapshot, {
          filter: { column: 'wallet', is: 'eq', value: wallet },
          orderBy: 'id',
          direction: 'desc',
          limit,
          after: cursor,
          cursorPath: 'cursor',
        })
        return pageWithTokens(snapshot, page)
      },
      presentActivity,
    )
    return answer(c, through, body)
  })
}

function presentActivity(row: WithToken<ActivityRow>) {
  return {
    id: row.id,
    kind: row.kind,
    token: row.token,
    tokenInfo: presentToken(row.tokenRow),
    amount: formatMoney(row.amount),
    claimId: row.claimId,
    executionId: row.executionId,
    vault: row.vault,
    at: formatTime(row.at),
    blockNumber: Number(row.block),
    transactionHash: row.tx,
  }
}
