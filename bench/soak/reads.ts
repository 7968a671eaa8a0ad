/** Requests of readers: the examples of the playground, and pages of REST. */
import { type Example, examples } from '../../api/graphql/serve/examples.ts'

type Read = { path: string; body?: Example }

const all: readonly Example[] = Object.values(examples)
const ofGraphql = all.map((body): Read => ({ path: '/api/v1/graphql', body }))

export const reads: readonly [Read, ...Read[]] = [
  { path: '/api/v1/health/ready' },
  { path: '/api/v1/vaults' },
  { path: '/api/v1/activity/0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
  { path: '/api/v1/openapi.json' },
  // Neither the subscription, nor what only a wallet may read.
  ...ofGraphql.filter(({ body }) => !body?.query.includes('subscription ') && !body?.headers),
]
