import type { Result, Router } from 'hono/router'

/** Matches that are kept. Clients make up any number of paths. */
export const MATCHES_MAX = 2_000
/** Characters. The longest path of a route has 100. */
export const PATH_LENGTH_MAX = 200

/** Keeps the handlers that match a path: the search in the tree of all routes takes longer than some of them. All are dropped when there is no more room. */
export function keepMatches<T>(inner: Router<T>): Router<T> {
  const kept = new Map<string, Result<T>>()
  return {
    name: inner.name,
    add: (method, path, handler) => {
      kept.clear()
      inner.add(method, path, handler)
    },
    match: (method, path) => {
      if (path.length > PATH_LENGTH_MAX) return inner.match(method, path)
      const key = `${method} ${path}`
      const known = kept.get(key)
      if (known) return known
      // A path, and the parameters that are parts of it, would keep the whole URL in memory that it was cut from.
      const found = inner.match(method, key.slice(method.length + 1))
      if (kept.size >= MATCHES_MAX) kept.clear()
      kept.set(key, found)
      return found
    },
  }
}
