/** One fact of the projection beside the same fact of the chain. */
/** `MISSING_LOGS`: the chain proves events of which the projection has no row. `WRONG_VALUE`: a row says something else than the chain. */
export type DifferenceKind = 'MISSING_LOGS' | 'WRONG_VALUE'

/** Of a row as a whole: whether it exists. */
export const ROW = 'row'

export type Value = string | number | bigint | boolean | null | undefined | readonly number[]

/** Both sides as text; null is no value. */
export type Comparison = {
  entity: string
  key: string
  /** A column, a count, or `row` for the row as a whole. */
  field: string
  projected: string | null
  onChain: string | null
  /** What a difference here means. */
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

function asText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
