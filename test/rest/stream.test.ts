import { expect, it } from 'vitest'
import { type Taken, toStream } from '../../api/rest/shared/stream.ts'

/** A body whose checks a test awaits, and its clock, milliseconds. */
function open(rest: AsyncGenerator<string, void, undefined>) {
  const clock = { now: 0 }
  let onCheck = (_: Taken): void => {}
  const body = toStream({
    first: 'ab',
    rest,
    check: async (taken) => onCheck(taken),
    clock: () => clock.now,
    onFailure: () => {},
  })
  const checked = () => new Promise<Taken>((resolve) => (onCheck = resolve))
  return { clock, checked, reader: body.getReader() }
}

it('reports to its check how long the client let parts wait, and how many bytes it took', async () => {
  async function* parts() {
    for (;;) yield 'abcd'
  }
  const { clock, checked, reader } = open(parts())
  await reader.read()
  clock.now += 14_000
  await reader.read()
  clock.now += 9_000
  expect(await checked()).toEqual({ idleMs: 9_000, waitedMs: 23_000, bytes: 6 })
  await reader.read()
  expect(await checked()).toEqual({ idleMs: 0, waitedMs: 23_000, bytes: 10 })
  await reader.cancel()
})

it('counts no time in which the next part is made', async () => {
  const made = Promise.withResolvers<string>()
  async function* parts() {
    yield await made.promise
  }
  const { clock, checked, reader } = open(parts())
  await reader.read()
  clock.now += 3_000
  const next = reader.read()
  clock.now += 60_000
  expect(await checked()).toEqual({ idleMs: 0, waitedMs: 3_000, bytes: 2 })
  made.resolve('abcd')
  await next
  clock.now += 1_000
  expect(await checked()).toEqual({ idleMs: 1_000, waitedMs: 4_000, bytes: 6 })
  await reader.cancel()
})

it('is checked no more once it is over, however it ends', async () => {
  async function* none() {}
  async function* failing() {
    yield await Promise.reject(new Error('the database is gone'))
  }
  async function* endless() {
    for (;;) yield 'abcd'
  }
  const ends: readonly (readonly [string, () => AsyncGenerator<string, void, undefined>])[] = [
    ['its end', none],
    ['a failure', failing],
    ['its client', endless],
  ]
  const checks: string[] = []
  for (const [end, parts] of ends) {
    const { checked, reader } = open(parts())
    checked().then(() => checks.push(end))
    await reader.read()
    if (end === 'its client') await reader.cancel()
    else await reader.read().catch(() => {})
  }
  // Checks begin in the order of the streams.
  const last = open(endless())
  await last.checked()
  expect(checks).toEqual([])
  await last.reader.cancel()
})
