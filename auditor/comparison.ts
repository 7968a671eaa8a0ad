/** Comparison of one value of the projection with the same value on chain. */
/**
 * `MISSING_LOGS`: the chain proves events that have no row in the projection. `WRONG_VALUE`: a row has another value
 * than the chain.
 */
export type DifferenceKind = 'MISSING_LOGS' | 'WRONG_VALUE'

/** The field of a comparison of whether a row exists. */
export const ROW = 'row'

export type Value = string | number | bigint | boolean | null | undefined | readonly (number | bigint)[]

/** Both values as text; null if there is no value. */
export type Comparison = {
  entity: string
  key: string
  /** A column, a count, or `row` for the row as a whole. */
  field: string
  projected: string | null
  onChain: string | null
  /** Kind of a difference here. */
  kind: DifferenceKind
}

export type Difference = Comparison & { block: bigint }

export function compare(
  at: Pick<Comparison, 'entity' | 'key' | 'field' | 'kind'>,
  projected: unknown,
  onChain: unknown,
): Comparison {
  return { ...at, projected: asText(projected), onChain: asText(onChain) }
}

export function differs({ projected, onChain }: Comparison): boolean {
  return projected !== onChain
}

/** Postgres stores no zero byte: the projection has a text of the chain without it, and a difference is stored. */
function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value).replaceAll('\0', '')
}
