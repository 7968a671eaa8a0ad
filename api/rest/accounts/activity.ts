import type { z } from '@hono/zod-openapi'
import type { Address, Hex } from 'viem'
import { decodeGlobalId } from '../../graphql/kit/global-id.ts'
import { asOfVariable } from '../shared/as-of.ts'
import { PAGE_INFO, presentPage, type SelectedPage } from '../shared/pagination.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { TOKEN_INFO } from '../shared/token-info.ts'
import { type activity as entry, listActivity } from './activity.routes.ts'

type Entry = z.output<typeof entry>

type Selected = Omit<Entry, 'token' | 'claimId' | 'executionId' | 'vault'> & {
  readonly claim: { readonly claimId: Hex } | null
  readonly execution: { readonly executionId: Hex } | null
  readonly vault: { readonly address: Address } | null
}

const readActivity = createDocumentReader<{ account: { activity: SelectedPage<Selected> } }>(`
  query ($wallet: Address!, $limit: Int!, $cursor: String, $asOf: AsOf) {
    account(address: $wallet, asOf: $asOf) {
      activity(first: $limit, after: $cursor) {
        nodes {
          id kind ${TOKEN_INFO} amount claim { claimId } execution { executionId } vault { address } at blockNumber transactionHash
        }
        ${PAGE_INFO}
      }
    }
  }`)

export function activity(deps: ReadDeps) {
  return createRouter().openapi(listActivity, (c) => {
    const query = c.req.valid('query')
    const variables = { ...c.req.valid('param'), ...query, asOf: asOfVariable(query) }
    return answerRead(
      c,
      deps,
      (reader) => readActivity(reader, variables),
      ({ account }) => presentPage(account.activity, presentEntry),
    )
  })
}

function presentEntry({ id, claim, execution, vault, ...own }: Selected): Entry {
  return {
    ...own,
    id: decodeGlobalId(id).id,
    token: own.tokenInfo.address,
    claimId: claim?.claimId ?? null,
    executionId: execution?.executionId ?? null,
    vault: vault?.address ?? null,
  }
}
