/** `/llms.txt` (llmstxt.org): the API in one text, from its description and the examples of the playground. */
import { ERRORS_PATH } from '../errors.ts'
import { examples } from '../graphql/serve/examples.ts'
import type { Described, DescribedOperation } from './described.ts'

const LINKS = `## Documents

- [GraphQL schema](/schema.graphql): types and fields of \`/api/v1/graphql\`
- [OpenAPI document](/api/v1/openapi.json): request and response schemas of all routes below
- [Error playbook](${ERRORS_PATH}): cause of each error, what to do, and whether to retry`

export function writeLlms({ info, paths = {} }: Described): string {
  const routes = Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...lineOf('GET', path, get),
    ...lineOf('POST', path, post),
  ])
  const queries = Object.values(examples).map(({ query }) => `\`\`\`graphql\n${query}\`\`\``)
  return [
    `# ${info.title}`,
    '> A read gateway over on-chain claim financing: GraphQL and REST reads at the last finalized block, and the messages and transactions that a wallet signs. It holds no key.',
    LINKS,
    `## Use\n\n${belowHeading(info.description ?? '')}`,
    `## Routes\n\n${routes.join('\n')}`,
    `## GraphQL examples\n\nPOST them to \`/api/v1/graphql\` as \`{ "query": …, "variables": … }\`.\n\n${queries.join('\n\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

/** A text in Markdown with its headings one level lower. */
function belowHeading(text: string): string {
  return text.replaceAll(/^#+ /gm, '#$&')
}

function lineOf(method: string, path: string, operation: DescribedOperation | undefined): string[] {
  return operation ? [`- \`${method} ${path}\`: ${operation.summary ?? ''}`] : []
}
