/** Orders of lists. */
import { builder } from './builder.ts'

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of an order.',
  values: {
    asc: { description: 'Smallest or earliest first.' },
    desc: { description: 'Largest or latest first.' },
  },
})

/**
 * Defines an order by an amount. Amounts of different tokens are not comparable, so its description advises to filter
 * by one.
 */
export function byAmount<const By extends string>(by: By, words: string) {
  return {
    by,
    words: `${words}. Filter by one token: amounts of different tokens are not comparable.`,
  } as const
}
