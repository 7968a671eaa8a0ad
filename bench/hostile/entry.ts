/** One hostile request, made anew for each run. */
export type Sent = { path: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

export type Entry = {
  name: string
  /** @param unique a word that makes this request differ from every other */
  request: (unique: string) => Sent | Promise<Sent>
}

const GRAPHQL = '/api/v1/graphql'
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' }

/** A GraphQL request. */
export function graphql(name: string, query: string, variables?: unknown): Entry {
  return graphqlText(name, (unique) => JSON.stringify({ query: `${query}#${unique}`, variables }))
}

/** A GraphQL request whose body is written by hand. */
export function graphqlText(name: string, body: (unique: string) => string): Entry {
  return {
    name: `GraphQL: ${name}`,
    request: (unique) => ({ path: GRAPHQL, method: 'POST', headers: JSON_HEADERS, body: body(unique) }),
  }
}

export function post(name: string, path: string, body: string, token?: string): Entry {
  const headers = { ...JSON_HEADERS, ...(token && { Authorization: `Bearer ${token}` }) }
  return {
    name: `POST ${path}: ${name}`,
    request: () => ({ path: `/api/v1${path}`, method: 'POST', headers, body }),
  }
}

export function get(name: string, path: string, headers: Record<string, string> = {}): Entry {
  return { name: `GET: ${name}`, request: () => ({ path: `/api/v1${path}`, headers }) }
}

/** The parts of a request that repeats. */
export function words(count: number, word: (i: number) => string, between = ' '): string {
  return Array.from({ length: count }, (_, i) => word(i)).join(between)
}

export function object(size: number, name: (i: number) => string): Record<string, number> {
  return Object.fromEntries(Array.from({ length: size }, (_, i) => [name(i), 1]))
}
