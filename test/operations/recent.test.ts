import { expect, it } from 'vitest'
import { recent } from '../../api/operations/recent.ts'

function counted(read: (call: number) => Promise<number>) {
  let now = 0
  let calls = 0
  const value = recent(
    () => read(++calls),
    () => now,
  )
  return {
    value,
    calls: () => calls,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

it('reads a value once in ten seconds', async () => {
  const { value, calls, pass } = counted(async (call) => call)
  expect(await Promise.all([value(), value()])).toEqual([1, 1])
  pass(9_999)
  expect(await value()).toBe(1)
  pass(1)
  expect([await value(), calls()]).toEqual([2, 2])
})

it('reads a value again once the clock was set back, since its age is unknown', async () => {
  const { value, calls, pass } = counted(async (call) => call)
  pass(3_600_000)
  await value()
  pass(-3_600_000)
  expect([await value(), calls()]).toEqual([2, 2])
  pass(9_999)
  expect([await value(), calls()]).toEqual([2, 2])
})

it('has no old value in the place of one that cannot be read', async () => {
  const { value, pass } = counted(async (call) => {
    if (call === 2) throw new Error('gone')
    return call
  })
  await value()
  pass(10_000)
  expect(await value()).toBeUndefined()
  pass(10_000)
  expect(await value()).toBe(3)
})

it('waits for a read that does not end, and begins no other beside it', async () => {
  let end = (_: number) => {}
  const { value, calls, pass } = counted(() => new Promise((resolve) => (end = resolve)))
  expect(await value()).toBeUndefined()
  pass(60_000)
  expect([await value(), calls()]).toEqual([undefined, 1])
})
