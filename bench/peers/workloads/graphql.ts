/** GraphQL requests to the servers that answer it. */
import { z } from 'zod'
import type { Read, Row, Sample, Send } from '../read.ts'

const PATHS = { ours: '/api/v1/graphql', postgraphile: '/graphql', ponder: '/graphql' } as const
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' }

export type Server = keyof typeof PATHS
export type Variables = (sample: Sample, prepared: string) => Readonly<Record<string, string>>

/** @param data shape of the answer's `data`, which becomes rows */
export function graphql(
  server: Server,
  query: string,
  variables: Variables,
  data: z.ZodType<readonly Row[]>,
): Read {
  return {
    request: (sample, prepared) => ask(server, query, variables(sample, prepared)),
    // The gateway adds its block in `extensions`.
    rows: z.object({ data, errors: z.undefined().optional() }).transform((answer) => answer.data),
  }
}

export function ask(server: Server, query: string, variables: Readonly<Record<string, string>>) {
  const body = JSON.stringify({ query, variables })
  return { path: PATHS[server], method: 'POST', headers: HEADERS, body } as const
}

/** Sends the operation by GET, with the tag of an earlier answer. */
export function askAgain(query: string, variables: Readonly<Record<string, string>>, tag: string) {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) })
  return { path: `${PATHS.ours}?${parameters}`, headers: { ...HEADERS, 'if-none-match': tag } } as const
}

/** Asks for a cursor first. @param data shape of the answer's `data`, which becomes the cursor */
export function cursorFrom(server: Server, query: string, variables: Variables, data: z.ZodType<string>) {
  return async (send: Send, sample: Sample): Promise<string> => {
    const response = await send(ask(server, query, variables(sample, '')))
    return z.object({ data }).parse(await response.json()).data
  }
}
