/** The page at `/` describes this gateway, links to its parts, and states the block that it serves. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Config } from '../config/config.ts'
import { formatTime } from '../domain/time.ts'
import { CodedError, catalogue, ERRORS_PATH, toCodedError } from '../errors.ts'
import { GRAPHQL_PATH } from '../graphql/serve/endpoint.ts'
import { tagOf } from '../http/conditional.ts'
import type { AppEnv } from '../http/env.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import { readProjection } from '../rest/shared/answer.ts'
import { type Html, htmlPage, PAGE_HEADERS } from './html-page.ts'

export type Settings = Pick<
  Config,
  'playground' | 'nodeEnv' | 'chainId' | 'documentationUrl' | 'explorerFolder'
>

const TITLE = 'Claim financing gateway'

export function serveHome(settings: Settings) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const block = await readBlock(c)
    const text = await htmlPage(TITLE, contentOf(settings, block))
    const headers = { ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8', ETag: tagOf(text) }
    if (block instanceof CodedError) return c.body(text, 200, headers)
    const named = { ...headers, 'X-Finalized-Through': block.blockNumber.toString() }
    return c.body(text, 200, named)
  }
}

/** Returns the projected block, or the error of its read. The page shows its links in both cases. */
async function readBlock(c: Context<AppEnv>): Promise<FinalizedThrough | CodedError> {
  try {
    return await readProjection(c, async ({ finalizedThrough }) => finalizedThrough)
  } catch (thrown) {
    const error = toCodedError(thrown)
    if (error.status === 503) return error
    throw thrown
  }
}

function contentOf(settings: Settings, block: FinalizedThrough | CodedError): Html {
  return html`
    <h1>${TITLE}</h1>
    <p>Companies hold claims on future payments as on-chain records, and vaults advance money against them at a discount. This service
      reads that market at the last finalized block, over GraphQL and REST, and prepares the messages and transactions that wallets sign.
      It holds no key and signs nothing.</p>
    <h2>State</h2>
    <table>
      <tr><th scope="row">Chain</th><td>${settings.chainId}</td></tr>
      <tr><th scope="row">Block served</th><td>${describeBlock(block)}</td></tr>
    </table>
    <h2>Contents</h2>
    <table>${linksOf(settings).map(
      ([path, name, use]) => html`
      <tr><td><a href="${path}">${name}</a></td><td>${use}</td></tr>`,
    )}${hasFolder(settings) ? FOLDER_ROW : ''}
    </table>
`
}

function describeBlock(block: FinalizedThrough | CodedError): Html {
  if (block instanceof CodedError)
    return html`none at present: ${catalogue[block.code].title} (<code>${block.code}</code>)`
  const time = formatTime(block.timestamp)
  return html`${block.blockNumber.toString()}, finalized, of <time datetime="${time}">${time}</time>`
}

/** Whether the page names the folder of the documentation: the development system runs in it, and does not serve it. */
function hasFolder({ nodeEnv, documentationUrl }: Settings): boolean {
  return nodeEnv === 'development' && documentationUrl === undefined
}

const FOLDER_ROW = html`
      <tr><td><code>docs/index.md</code></td><td>documentation in the folder of the project; after <code>npm run docs</code> and a restart, this table links to its site</td></tr>`

type Link = readonly [path: string, name: string, use: string]

function linksOf({ playground, nodeEnv, documentationUrl, explorerFolder }: Settings): Link[] {
  const always: Link[] = [
    ['/schema.graphql', 'GraphQL schema', `types and fields of ${GRAPHQL_PATH}`],
    ['/api/v1/openapi.json', 'OpenAPI document', 'routes of /api/v1, for generators and clients'],
    [ERRORS_PATH, 'Error playbook', 'cause of each error, what to do, and whether to retry'],
    ['/llms.txt', 'llms.txt', 'the API in one text, for language models'],
    ['/api/v1/health/ready', 'Readiness', 'whether each part works, and how far the index is'],
  ]
  return [
    ...(explorerFolder === undefined
      ? []
      : [['/explore/', 'Explorer', 'the market, vaults, issuers, claims and wallets, in pages'] as const]),
    ...(playground
      ? [[GRAPHQL_PATH, 'GraphQL playground', 'commented examples, to run and change'] as const]
      : []),
    ...(nodeEnv === 'production'
      ? []
      : [['/docs', 'API reference', 'every route, to read and to try'] as const]),
    ...(documentationUrl === undefined
      ? []
      : [[documentationUrl, 'Documentation', 'quickstarts, names, versions and operation'] as const]),
    ...always,
  ]
}
