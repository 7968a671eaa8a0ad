import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assertProperty } from './property.ts'

const SEED = 7

it('makes a counterexample smaller, and stops after the time that it has', async () => {
  let cases = 0
  const slow = fc.asyncProperty(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 20 }), async (numbers) => {
    cases += 1
    await setTimeout(2)
    return numbers.every((number) => number < 10)
  })
  await expect(assertProperty(slow, { seed: SEED })).rejects.toThrow('Counterexample: [[')
  const all = cases
  cases = 0
  await expect(assertProperty(slow, { seed: SEED }, 20)).rejects.toThrow(`seed: ${SEED}`)
  expect(cases).toBeLessThan(all)
})

it('reports a case that fails only the first time', async () => {
  let isFirst = true
  const once = fc.asyncProperty(fc.nat(), async () => {
    const isFailing = isFirst
    isFirst = false
    return !isFailing
  })
  await expect(assertProperty(once, { seed: SEED })).rejects.toThrow('Property failed')
})

it('passes what holds in every case', async () => {
  await assertProperty(
    fc.asyncProperty(fc.nat(), async () => true),
    { seed: SEED },
  )
})
