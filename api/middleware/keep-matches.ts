import type { Result, Router } from 'hono/router'

/**
 * Keeps what matches a path that is a route itself: most requests have one of these, and the search in the tree of all routes takes longer than the
 * handlers of some. Any other path is searched for each time, because clients make up any number of them.
 */
export function keepMatches<T>(inner: Router<T>): Router<T> {
  const routes = new Set<string>()
  const kept = new Map<string, Result<T>>()
  return {
    name: inner.name,
    add: (method, path, handler) => {
      kept.clear()
      routes.add(path)
      inner.add(method, path, handler)
    },
    match: (method, path) => {
      if (!routes.has(path)) return inner.match(method, path)
      const key = `${method} ${path}`
      const found = kept.get(key) ?? inner.match(method, path)
      kept.set(key, found)
      return found
    },
  }
}
