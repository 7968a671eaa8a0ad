/** The form of terms: without a change it submits the terms of the vault, and an empty limit is none. */
import { describe, expect, it } from 'vitest'
import { amountOf } from '../../explorer/src/parts/amount.ts'
import { inputOf, NO_LIMIT, textsOf } from '../../explorer/src/vaults/terms-texts.ts'

const TOKEN = { decimals: 6 }

describe('the form of terms', () => {
  const vault = {
    mandate: {
      minFace: '1500000',
      maxFace: '2000000',
      maxClaimFace: '3000001',
      maxIssuerFace: `${NO_LIMIT}`,
      minDurationDays: 1,
      maxDurationDays: 90,
      supportedTypes: [0, 255],
    },
    pricing: { baseDiscountBps: 150, durationBpsPerDay: 2, premiumBps: [0, 25] },
    tokenInfo: { address: '0x01', symbol: 'T', name: 'Token', ...TOKEN },
  } as const
  const mandate = {
    supportedTypesBitmap: `${2n ** 255n + 1n}`,
    minDurationDays: 1,
    maxDurationDays: 90,
    minFace: '1500000',
    maxFace: '2000000',
    maxClaimFace: '3000001',
    maxIssuerFace: `${NO_LIMIT}`,
  }
  const texts = () => {
    const { mandate, pricing } = vault
    return textsOf({
      ...vault,
      mandate: { ...mandate, supportedTypes: [...mandate.supportedTypes] },
      pricing: { ...pricing, premiumBps: [...pricing.premiumBps] },
    })
  }

  it('submits what it was given', () => {
    expect(inputOf(texts(), TOKEN)).toEqual({ mandate, pricing: vault.pricing })
    expect(texts()).toMatchObject({
      minFace: '1.5',
      maxFace: '2',
      maxClaimFace: '3.000001',
      maxIssuerFace: '',
    })
  })

  it('submits the largest value for an upper limit that is empty, and nothing without the lower one', () => {
    for (const name of ['maxFace', 'maxClaimFace', 'maxIssuerFace'] as const) {
      expect(inputOf({ ...texts(), [name]: ' ' }, TOKEN)?.mandate).toEqual({
        ...mandate,
        [name]: `${NO_LIMIT}`,
      })
      expect(inputOf({ ...texts(), [name]: '1,5' }, TOKEN), name).toBeUndefined()
    }
    expect(inputOf({ ...texts(), minFace: '' }, TOKEN)).toBeUndefined()
  })

  it('submits each of its numbers', () => {
    const changed = {
      minDurationDays: '3',
      maxDurationDays: '4',
      baseDiscountBps: '5',
      durationBpsPerDay: '6',
      supported: new Set([1, 2]),
      premiums: new Map([[1, '7']]),
    }
    expect(inputOf({ ...texts(), ...changed }, TOKEN)).toEqual({
      mandate: { ...mandate, minDurationDays: 3, maxDurationDays: 4, supportedTypesBitmap: '6' },
      pricing: { baseDiscountBps: 5, durationBpsPerDay: 6, premiumBps: [0, 7] },
    })
  })
})

it('an amount of a form is above zero, with at most the digits of its token', () => {
  expect(amountOf('0.000001', TOKEN)).toBe('1')
  for (const text of ['', '0', '0.0', '0.0000001', '1,000', '-1'])
    expect(amountOf(text, TOKEN), text).toBeUndefined()
})
