import type { Result, Router } from 'hono/router'

/** Matches that are kept, and the longest path of one: clients make up any number of paths. Those of a claim or an account have 90 characters. */
export const MATCHES_MAX = 2_000
export const PATH_LENGTH_MAX = 200

/** Keeps what matches a path: the search in the tree of all routes takes longer than the handlers of some. When there is no more room, it starts anew. */
export function keepMatches<T>(inner: Router<T>): Router<T> {
  const kept = new Map<string, Result<T>>()
  return {
    name: inner.name,
    add: (method, path, handler) => {
      kept.clear()
      inner.add(method, path, handler)
    },
    match: (method, path) => {
      const key = `${method} ${path}`
      const known = kept.get(key)
      if (known) return known
      if (path.length > PATH_LENGTH_MAX) return inner.match(method, path)
      // A path, and the parameters that are parts of it, would keep the whole URL in memory that it was cut from.
      const found = inner.match(method, key.slice(method.length + 1))
      if (kept.size >= MATCHES_MAX) kept.clear()
      kept.set(key, found)
      return found
    },
  }
}
