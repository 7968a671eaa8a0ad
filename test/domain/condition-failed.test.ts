import { expect, it } from 'vitest'
import { conditionFailed } from '../../api/domain/condition-failed.ts'

it('states each fact that is known as text, a zero included', () => {
  const { code, facts } = conditionFailed('AMOUNT_TOO_SMALL', 'Too small.', {
    vault: '0xa1',
    have: 0n,
    need: 2n ** 256n - 1n,
  })
  expect([code, facts]).toEqual([
    'AMOUNT_TOO_SMALL',
    { vault: '0xa1', have: '0', need: `${2n ** 256n - 1n}` },
  ])
  expect(conditionFailed('NO_SHARES', 'None.', { have: 0, need: undefined }).facts).toEqual({ have: '0' })
})
