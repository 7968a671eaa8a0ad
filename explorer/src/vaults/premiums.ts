/** The premiums of a vault as the texts of a form, and back. */

/** Basis points by claim type, also of types that are not financed. */
export type Premiums = ReadonlyMap<number, string>

export const textsOfPremiums = (premiumBps: readonly number[]): Premiums =>
  new Map(premiumBps.map((bps, type) => [type, `${bps}`]))

/** A list up to the last premium. */
export function premiumsOf(premiums: Premiums): number[] {
  const last = Math.max(-1, ...[...premiums].filter(([, text]) => Number(text) > 0).map(([type]) => type))
  return Array.from({ length: last + 1 }, (_, type) => Number(premiums.get(type) ?? 0))
}
