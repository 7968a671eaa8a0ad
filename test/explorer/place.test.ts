/** Addresses of the pages of the explorer, in the fragment of the URL. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { linkTo, placeOf, replaceParams } from '../../explorer/src/place/place.ts'

const partsOf = (fragment: string) => {
  const { path, params } = placeOf(fragment)
  return [path, Object.fromEntries(params)]
}

describe('a fragment', () => {
  it.each([
    ['', [], {}],
    ['#', [], {}],
    ['#/', [], {}],
    ['#/vaults', ['vaults'], {}],
    ['#vaults/', ['vaults'], {}],
    ['#/vaults//0x12?token=0x34&from=1', ['vaults', '0x12'], { token: '0x34', from: '1' }],
    ['#/?token=0x34', [], { token: '0x34' }],
    ['#/a%2Fb/%C3%A9?sql=a%3Fb+c', ['a/b', 'é'], { sql: 'a?b c' }],
    ['#/%E0%A4%A/é', ['%E0%A4%A', 'é'], {}],
  ])('%s has its path and its parameters', (fragment, path, params) => {
    expect(partsOf(fragment)).toEqual([path, params])
  })

  it('of a link leads to the place that the link is made of', () => {
    const params = { sql: "SELECT '?&#=%' /* é */", token: '0x34' }
    const link = linkTo(['desk', 'a/b?c#d', '%41'], params)
    expect(partsOf(link)).toEqual([['desk', 'a/b?c#d', '%41'], params])
  })
})

it('a link leaves out parameters without a value', () => {
  expect(linkTo([])).toBe('#/')
  expect(linkTo(['vaults', '0x12'], { token: undefined, from: '' })).toBe('#/vaults/0x12')
  expect(linkTo(['vaults'], { token: undefined, from: '0' })).toBe('#/vaults?from=0')
})

it('a change of parameters keeps the place and the others, and adds no entry to the history', () => {
  const replaced: string[] = []
  const replace = (next: string) => replaced.push(next)
  vi.stubGlobal('location', { hash: '#/claims/0x12?state=OPEN&token=0x34', replace })
  onTestFinished(() => void vi.unstubAllGlobals())
  replaceParams({ state: 'SETTLED', from: '1' })
  replaceParams({ token: undefined })
  expect(replaced).toEqual(['#/claims/0x12?state=SETTLED&token=0x34&from=1', '#/claims/0x12?state=OPEN'])
})
