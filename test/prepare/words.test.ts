import { expect, it } from 'vitest'
import { amountInWords, sharesInWords } from '../../api/prepare/words.ts'

const token = `0x${'01'.repeat(20)}` as const
const tokens = [
  {
    address: `0x${'02'.repeat(20)}` as const,
    name: 'Other',
    symbol: 'OTH',
    decimals: 0,
    resetsApproval: false,
  },
  { address: token, name: 'Demo Dollar', symbol: 'dUSD', decimals: 6, resetsApproval: false },
]

it('an amount is written in units of its token, and shares with six decimals more', () => {
  expect(amountInWords(tokens, token, 1_500_000n)).toBe('1.5 dUSD (1500000 base units)')
  expect(sharesInWords(tokens, token, 1_500_000_000_000n)).toBe('1.5 shares (1500000000000 base units)')
})

it('an amount of a token that the manifest does not have is written in base units alone', () => {
  const unknown = `0x${'03'.repeat(20)}` as const
  expect(amountInWords(tokens, unknown, 5n)).toBe(`5 base units of token ${unknown}`)
  expect(sharesInWords(tokens, unknown, 5n)).toBe('5 base units of shares')
})
