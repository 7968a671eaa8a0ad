import { expect, it } from 'vitest'
import { changedFiles } from '../../bench/optimizer/changed-copy.ts'
import { rules } from '../../bench/optimizer/rules.ts'

it.each(rules)('a rule is switched off by a change that matches the code: $name', ({ off }) => {
  const files = changedFiles([off])
  const whole = changedFiles([])
  expect(files.filter(({ text }, index) => text !== whole[index]?.text)).toHaveLength(1)
})

it('a change that matches no code is refused', () => {
  const lost = { in: 'search', find: 'a rule that is no more', replace: '' }
  expect(() => changedFiles([lost])).toThrow('0 places in search')
})
