import type { Option } from '../model/problem.ts'
import type { ClaimLots, Lot, LotProblem } from './lot-problem.ts'
import { sortedIndices } from './radix-sort.ts'
import { OVERRUN, type UsageBook } from './usage.ts'

/**
 * Partial routes over some claims, sorted by advance. Where several are alike in advance, legs and usage, only the best
 * of them is here.
 */
export type Classes = {
  readonly claims: readonly ClaimLots[]
  readonly size: number
  readonly advance: Float64Array
  readonly excess: Float64Array
  readonly legs: Uint8Array
  readonly usage: Float64Array
  /** The lot of each claim as one number, the first claim's digit foremost; a claim left out has the highest digit. */
  readonly choice: Float64Array
}

/** Columns that grow by a claim at a time, not sorted yet. */
type Rows = Omit<Classes, 'claims'>

/**
 * The classes over as many of the claims, from the first on, as have at most `most`, and choices and usages that
 * doubles hold.
 *
 * Pruning rule: of two partial routes over the same claims with the same advance, legs and usage, the one with more
 * excess is dropped; with the same excess, the one with the higher choice.
 * Proof: whatever completes one to a route completes the other, to the same advance, legs and usage. The costs differ
 * as the excesses do. At the same cost the faces are the same too, and the pairs decide: where the two first differ,
 * the lower digit is an earlier vault or, against a claim left out, an earlier claim; the legs that complete them are
 * the same. Only sums that are exact can be called the same, so otherwise nothing is dropped.
 */
export function classesOf(
  lots: LotProblem,
  claims: readonly ClaimLots[],
  book: UsageBook,
  maxLegs: number,
  most: number,
): Classes {
  let rows: Rows = { ...newRows(1), size: 1 }
  let listed = 0
  let choices = 1
  for (const claim of claims) {
    choices *= claim.lots.length + 1
    if (choices > 2 ** 53 || listed === book.mostLots) break
    const grown = grow(rows, claim, book, { maxLegs, most, merge: lots.exact })
    if (grown === undefined) break
    rows = grown
    listed++
  }
  return { claims: claims.slice(0, listed), ...sortedByAdvance(rows) }
}

function newRows(capacity: number): Rows & { size: number } {
  return {
    size: 0,
    advance: new Float64Array(capacity),
    excess: new Float64Array(capacity),
    legs: new Uint8Array(capacity),
    usage: new Float64Array(capacity),
    choice: new Float64Array(capacity),
  }
}

/** `most` rows at most, alike ones merged where sums are exact. */
type Growth = { readonly maxLegs: number; readonly most: number; readonly merge: boolean }

/** Each row without the claim, and with each of its lots. */
function grow(
  rows: Rows,
  { lots, unused }: ClaimLots,
  book: UsageBook,
  { maxLegs, most, merge }: Growth,
): Rows | undefined {
  const base = lots.length + 1
  const grown = newRows(Math.min(most, rows.size * base))
  const add = adderTo(grown, merge)
  for (let row = 0; row < rows.size; row++) {
    const advance = rows.advance[row] as number
    const excess = rows.excess[row] as number
    const legs = rows.legs[row] as number
    const usage = rows.usage[row] as number
    const choice = (rows.choice[row] as number) * base
    if (!add(advance, excess + unused, legs, usage, choice + lots.length)) return undefined
    for (let digit = 0; digit < lots.length && legs < maxLegs; digit++) {
      const lot = lots[digit] as Lot
      const used = book.add(usage, lot.option)
      if (used === OVERRUN) continue
      const added = add(advance + lot.advance, excess + lot.excess, legs + 1, used, choice + digit)
      if (!added) return undefined
    }
  }
  return grown
}

type Adder = (advance: number, excess: number, legs: number, usage: number, choice: number) => boolean

/** Adds a row, or puts it in the place of one that is alike and worse; false when there is no room. */
function adderTo(rows: Rows & { size: number }, merge: boolean): Adder {
  const capacity = rows.advance.length
  const cells = 2 ** Math.ceil(Math.log2(capacity) + 1)
  const places = new Int32Array(merge ? cells : 0)
  const write = (row: number, ...[advance, excess, legs, usage, choice]: Parameters<Adder>): void => {
    rows.advance[row] = advance
    rows.excess[row] = excess
    rows.legs[row] = legs
    rows.usage[row] = usage
    rows.choice[row] = choice
  }
  return (advance, excess, legs, usage, choice) => {
    let cell = hash(advance, legs, usage) & (cells - 1)
    for (; merge && places[cell] !== 0; cell = (cell + 1) & (cells - 1)) {
      const row = (places[cell] as number) - 1
      if (rows.advance[row] !== advance || rows.legs[row] !== legs || rows.usage[row] !== usage) continue
      const known = rows.excess[row] as number
      if (excess < known || (excess === known && choice < (rows.choice[row] as number))) {
        write(row, advance, excess, legs, usage, choice)
      }
      return true
    }
    if (rows.size === capacity) return false
    write(rows.size++, advance, excess, legs, usage, choice)
    if (merge) places[cell] = rows.size
    return true
  }
}

/** Any whole numbers will do that spread well over 32 bits; what is alike is found by comparing. */
function hash(advance: number, legs: number, usage: number): number {
  const low = Math.imul(advance >>> 0, 0x9e3779b1)
  const high = Math.imul((advance / 2 ** 32) >>> 0, 0x85ebca6b)
  const used = Math.imul(usage >>> 0, 0x27d4eb2f) ^ Math.imul((usage / 2 ** 32) >>> 0, 0x165667b1)
  const mixed = low ^ high ^ used ^ Math.imul(legs, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}

function sortedByAdvance(rows: Rows): Rows {
  return pick(rows, sortedIndices(rows.advance.subarray(0, rows.size)))
}

/** The classes of no more excess than the slack and, by number of legs, no less advance than given. */
export function usefulClasses(classes: Classes, slack: number, leastAdvance: readonly number[]): Classes {
  const { claims, size, advance, excess, legs } = classes
  const kept = new Uint32Array(size)
  let count = 0
  for (let row = 0; row < size; row++) {
    if ((excess[row] as number) > slack) continue
    if ((advance[row] as number) >= (leastAdvance[legs[row] as number] as number)) kept[count++] = row
  }
  return count === size ? classes : { claims, ...pick(classes, kept.subarray(0, count)) }
}

/** How many classes of each number of legs a sample holds. */
const SAMPLE_PER_LEGS = 500

/**
 * The classes of each number of legs that have least excess and differ least from as many equal shares of the target,
 * with the difference priced like the advance. These add up to far more routes about the target than any others would.
 */
export function likeliest(classes: Classes, rate: number, share: number): Classes {
  const { claims, size, advance, excess, legs } = classes
  const distances = new Float64Array(size)
  for (let row = 0; row < size; row++) {
    const off = Math.abs((advance[row] as number) - (legs[row] as number) * share)
    distances[row] = (excess[row] as number) + rate * off
  }
  const taken = new Array<number>(claims.length + 1).fill(0)
  const isTaken = (row: number): boolean => {
    const count = legs[row] as number
    taken[count] = (taken[count] ?? 0) + 1
    return (taken[count] ?? 0) <= SAMPLE_PER_LEGS
  }
  return { claims, ...pick(classes, sortedIndices(distances).filter(isTaken).sort()) }
}

function pick(rows: Rows, order: Uint32Array): Rows {
  const picked = newRows(order.length)
  for (let place = 0; place < order.length; place++) {
    const row = order[place] as number
    picked.advance[place] = rows.advance[row] as number
    picked.excess[place] = rows.excess[row] as number
    picked.legs[place] = rows.legs[row] as number
    picked.usage[place] = rows.usage[row] as number
    picked.choice[place] = rows.choice[row] as number
  }
  picked.size = order.length
  return picked
}

/** The lots of one class, in claim order. */
export function lotsOfClass({ claims, choice }: Classes, index: number): Option[] {
  const options: Option[] = []
  let rest = choice[index] ?? 0
  for (const { lots } of claims.toReversed()) {
    const lot = lots[rest % (lots.length + 1)]
    if (lot !== undefined) options.push(lot.option)
    rest = Math.floor(rest / (lots.length + 1))
  }
  return options.reverse()
}
