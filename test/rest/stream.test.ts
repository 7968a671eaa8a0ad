import { expect, it } from 'vitest'
import { type Taken, toStream } from '../../api/rest/shared/stream.ts'

it('reports to its check how long the client let parts wait, and how many bytes it took', async () => {
  let now = 0
  let onCheck = (_: Taken): void => {}
  async function* parts() {
    for (;;) yield 'abcd'
  }
  const body = toStream({
    first: 'ab',
    rest: parts(),
    check: async (taken) => onCheck(taken),
    clock: () => now,
    onFailure: () => {},
  })
  const checked = () => new Promise<Taken>((resolve) => (onCheck = resolve))
  const reader = body.getReader()
  await reader.read()
  now += 14_000
  await reader.read()
  now += 9_000
  expect(await checked()).toEqual({ idleMs: 9_000, waitedMs: 23_000, bytes: 6 })
  await reader.read()
  expect(await checked()).toEqual({ idleMs: 0, waitedMs: 23_000, bytes: 10 })
  await reader.cancel()
})

it('counts no time in which the next part is made', async () => {
  let now = 0
  let onCheck = (_: Taken): void => {}
  const made = Promise.withResolvers<string>()
  async function* parts() {
    yield await made.promise
  }
  const body = toStream({
    first: 'ab',
    rest: parts(),
    check: async (taken) => onCheck(taken),
    clock: () => now,
    onFailure: () => {},
  })
  const checked = () => new Promise<Taken>((resolve) => (onCheck = resolve))
  const reader = body.getReader()
  await reader.read()
  now += 3_000
  const next = reader.read()
  now += 60_000
  expect(await checked()).toEqual({ idleMs: 0, waitedMs: 3_000, bytes: 2 })
  made.resolve('abcd')
  await next
  now += 1_000
  expect(await checked()).toEqual({ idleMs: 1_000, waitedMs: 4_000, bytes: 6 })
  await reader.cancel()
})
