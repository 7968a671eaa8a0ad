/** The argument of reads as of a block of the past. */
import { validationFailed } from '../../errors.ts'
import type { AsOf } from '../../projection/past/around.ts'
import { builder } from './builder.ts'

/** Name of the type of the argument. */
export const AS_OF_TYPE = 'AsOf'

const AsOfInput = builder.inputType(AS_OF_TYPE, {
  description: 'A finalized block: its number, or a time. Exactly one of them is given.',
  fields: (t) => ({
    block: t.field({ type: 'SafeInt', description: 'Number of the block.' }),
    time: t.field({ type: 'DateTime', description: 'Time. It stands for the last block until then.' }),
  }),
})

/** Arguments of a field that can be read as of a block of the past. */
export const asOfArgs = builder.args((t) => ({
  asOf: t.field({
    type: AsOfInput,
    description:
      'Block as of which the field is read, with all that it selects. Default: the last finalized block.',
  }),
}))

/**
 * Returns the block of the arguments of a field; undefined for the present.
 *
 * @throws CodedError `VALIDATION_FAILED` for none or both of the values
 */
export function asOfIn({ asOf }: { readonly [name: string]: unknown }): AsOf | undefined {
  if (typeof asOf !== 'object' || asOf === null) return undefined
  const block = bigintIn(asOf, 'block')
  const time = bigintIn(asOf, 'time')
  if (block !== undefined && time === undefined) return { block }
  if (time !== undefined && block === undefined) return { time }
  throw validationFailed([{ path: 'asOf', message: 'must have either block or time' }])
}

/** Returns the block of the arguments of a field that has one. @throws as `asOfIn` */
export function requireAsOf(args: { readonly [name: string]: unknown }): AsOf {
  const asOf = asOfIn(args)
  if (!asOf) throw new Error('the field is not read as of a block')
  return asOf
}

/** Points for a block, whose time is read from the chain, and for the search of the block of a time. */
const BLOCK_WORK = 1000
const TIME_WORK = 5000

/** Returns the points of the budget that the block costs, beside the cost of the field. */
export function asOfWork(asOf: AsOf): number {
  return 'block' in asOf ? BLOCK_WORK : TIME_WORK
}

function bigintIn(value: object, name: string): bigint | undefined {
  const found: unknown = Reflect.get(value, name)
  return typeof found === 'bigint' ? found : undefined
}
