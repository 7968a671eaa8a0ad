/** The one screen at the end: where to look, who owns what, and a first query. */

import { formatUnits } from 'viem'
import { z } from 'zod'
import { sum } from '../api/domain/bigint.ts'
import { financeableStates } from '../api/domain/claim.ts'
import type { TokenInfo } from '../deployments/manifest.ts'
import type { Endpoints } from './endpoints.ts'
import type { Pace } from './live-chain.ts'

export const FIRST_QUERY = `{
  _meta { finalizedThrough { blockNumber timestamp } }
  claims(first: 3, filter: { state: ELIGIBLE }) {
    totalCount
    nodes { claimId state faceValue remainingFace tokenInfo { symbol decimals } dueDate beneficiary { address } }
  }
}`

const CLAIMS_OF_WALLET = `query ($address: Address!) {
  account(address: $address) { claims(first: 200) { totalCount nodes { state tokenInfo { address } matured remainingFace } } }
}`

const holdingsShape = z.object({
  data: z.object({
    account: z.object({
      claims: z.object({
        totalCount: z.number(),
        nodes: z.array(
          z.object({
            state: z.string(),
            tokenInfo: z.object({ address: z.string() }),
            matured: z.boolean(),
            remainingFace: z.string(),
          }),
        ),
      }),
    }),
  }),
})
type Holdings = z.output<typeof holdingsShape>['data']['account']['claims']

export type NamedAccount = Endpoints['accounts'][number] & { name: string }

/** Reads the balances of the wallets from the gateway, so the screen shows its answers. */
export async function screen(
  endpoints: Endpoints,
  wallets: readonly NamedAccount[],
  tokens: readonly TokenInfo[],
  { secondsToReady, pace }: { secondsToReady: string; pace: Pace },
): Promise<string> {
  const holdings = await Promise.all(
    wallets.map(async (wallet) => walletLines(wallet, await readHoldings(endpoints, wallet.address), tokens)),
  )
  const { gatewayUrl, graphqlUrl, documentationUrl, rpcUrl, databaseUrls } = endpoints
  const documentation = documentationUrl === undefined ? '' : `\n  documentation    ${documentationUrl}/`
  return `
Ready after ${secondsToReady} s. Open in a browser:

  explorer         ${gatewayUrl}/explore/
  start page       ${gatewayUrl}/
  GraphiQL         ${graphqlUrl}
  API reference    ${gatewayUrl}/docs
  REST             ${gatewayUrl}/api/v1/vaults${documentation}

For tools:

  chain            ${rpcUrl} (chain ${endpoints.chainId}, a block every ${pace.blockSeconds} s, final ${2 * pace.slotsInAnEpoch} blocks later)
  Postgres         ${databaseUrls.analyst} (reads the views of schema projection)

Demo wallets (anvil's public test keys: worth nothing, safe nowhere else):

${holdings.join('\n\n')}

Paste this into GraphiQL:

${indent(FIRST_QUERY)}

or ask from a shell:

  curl -s ${graphqlUrl} -H 'content-type: application/json' \\
    -d '{"query":"{ claims(first: 3) { totalCount nodes { claimId state faceValue tokenInfo { symbol decimals } dueDate } } }"}'

Ctrl-C stops everything; the data stay for the next start.
`
}

function walletLines(wallet: NamedAccount, holdings: Holdings, tokens: readonly TokenInfo[]): string {
  const open = holdings.nodes.filter(({ state, matured }) => !matured && financeableStates.includes(state))
  const overdue = holdings.nodes.filter(
    ({ state, matured }) => matured && state !== 'SETTLED' && state !== 'REVOKED',
  )
  const faces = tokens.flatMap((token) => {
    const own = open.filter((claim) => claim.tokenInfo.address === token.address)
    const face = sum(own.map(({ remainingFace }) => BigInt(remainingFace)))
    return face > 0n ? [`${rounded(face, token)} ${token.symbol}`] : []
  })
  return [
    `  ${wallet.role}  ${wallet.name}`,
    `    address  ${wallet.address}`,
    `    key      ${wallet.privateKey}`,
    `    owns     ${holdings.totalCount} claims: ${open.length} open to financing (${faces.join(', ') || 'nothing left'}), ${overdue.length} due and unpaid`,
  ].join('\n')
}

/** To whole tokens, with thousands apart. */
function rounded(amount: bigint, token: TokenInfo): string {
  const whole = formatUnits(amount, token.decimals).split('.')[0] ?? '0'
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}

async function readHoldings({ graphqlUrl }: Endpoints, address: string): Promise<Holdings> {
  const response = await fetch(graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: CLAIMS_OF_WALLET, variables: { address } }),
  })
  const answer = holdingsShape.safeParse(await response.json())
  if (!answer.success) throw new Error(`${graphqlUrl} does not say what ${address} owns (${response.status})`)
  return answer.data.data.account.claims
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
