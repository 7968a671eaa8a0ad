/** Random choices of one request. Each shrinks towards the first, so the simplest comes first in every list. */
import fc from 'fast-check'

export type Draw = fc.GeneratorValue

/** Every number is equally likely: a bias towards small ones would leave most routes without a request. */
const even = (max: number) => fc.noBias(fc.nat(max))

/** 0 to `limit`, exclusive. */
export function below(draw: Draw, limit: number): number {
  return draw(even, limit - 1)
}

export function pick<T>(draw: Draw, choices: readonly T[]): T {
  const choice = choices[below(draw, choices.length)]
  if (choice === undefined) throw new Error('there is nothing to choose from')
  return choice
}

/** Shrinks towards false. */
export function oneIn(draw: Draw, times: number): boolean {
  return below(draw, times) === times - 1
}

/** Any text, lone surrogates included. */
export function anyText(draw: Draw): string {
  return draw(text)
}

const text = () => fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 40 })
