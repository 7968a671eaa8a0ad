import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { expect, it } from 'vitest'
import { keepMatches, MATCHES_MAX, PATH_LENGTH_MAX } from '../../api/middleware/keep-matches.ts'

const ROUTES = ['/*', '/claims', '/claims/issued', '/claims/:claimId', '/:page', '/routes/:id/prepare']
const PATHS = ['/', '/claims', '/claims/issued', '/claims/0x1', '/CLAIMS', '/claims/', '/routes/1/prepare']
const METHODS = ['GET', 'POST', 'OPTIONS']

const addAll = (router: Router<string>) => {
  for (const route of ROUTES)
    for (const method of ['GET', 'ALL']) router.add(method, route, `${method} ${route}`)
}

const handlersOf = ([found]: Result<string>) =>
  found.map(([handler, parameters]) => [handler, { ...parameters }])

it('finds what the router finds, the second time too', () => {
  const plain = new TrieRouter<string>()
  const keeping = keepMatches(new TrieRouter<string>())
  addAll(plain)
  addAll(keeping)
  const requests = METHODS.flatMap((method) => [...PATHS, ...PATHS].map((path) => [method, path] as const))
  for (const [method, path] of requests)
    expect(handlersOf(keeping.match(method, path))).toEqual(handlersOf(plain.match(method, path)))
  keeping.add('GET', '/claims', 'later')
  plain.add('GET', '/claims', 'later')
  expect(handlersOf(keeping.match('GET', '/claims'))).toEqual(handlersOf(plain.match('GET', '/claims')))
})

/** A router that keeps, and the paths that were searched for in the one within. */
function watched() {
  const searched: string[] = []
  const router = new TrieRouter<string>()
  const keeping = keepMatches<string>({
    name: router.name,
    add: router.add.bind(router),
    match: (method, path) => {
      searched.push(path)
      return router.match(method, path)
    },
  })
  addAll(keeping)
  return { keeping, searched }
}

it('searches once for a path of each method', () => {
  const { keeping, searched } = watched()
  for (const path of ['/claims', '/claims', '/claims/0x1', '/claims/0x1'])
    for (const method of ['GET', 'POST']) keeping.match(method, path)
  expect(searched).toEqual(['/claims', '/claims', '/claims/0x1', '/claims/0x1'])
})

it('keeps 2,000 matches and starts anew beyond', () => {
  const { keeping, searched } = watched()
  const paths = Array.from({ length: MATCHES_MAX }, (_, index) => `/claims/${index}`)
  for (const path of [...paths, ...paths]) keeping.match('GET', path)
  expect(searched).toEqual(paths)
  keeping.match('GET', '/claims/one-more')
  keeping.match('GET', '/claims/0')
  expect(searched).toEqual([...paths, '/claims/one-more', '/claims/0'])
})

it('keeps no match of a path longer than 200 characters', () => {
  const { keeping, searched } = watched()
  const longest = '/'.padEnd(PATH_LENGTH_MAX, 'x')
  for (const path of [longest, longest, `${longest}x`, `${longest}x`]) keeping.match('GET', path)
  expect(searched).toEqual([longest, `${longest}x`, `${longest}x`])
})

it('keeps no URL in memory that a path was cut from', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const keeping = keepMatches(new TrieRouter<string>())
  addAll(keeping)
  const heap = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  for (let index = 0; index < MATCHES_MAX; index++) {
    // As a string of its own, like one that was received.
    const url = Buffer.from(`/claims/${'0'.repeat(60)}${index}?q=${'y'.repeat(16_000)}`).toString('latin1')
    keeping.match('GET', url.slice(0, url.indexOf('?')))
  }
  expect(heap() - before).toBeLessThan(MATCHES_MAX * 4_000)
  // Until here, the matches are in use.
  expect(keeping.match('GET', '/')).toBeDefined()
})
