/** An operation, measured, with what depends on its shape. */
import { CodedError } from '../../errors.ts'
import { type Cost, measure } from './measure/measure.ts'
import { type Asked, type Shape, toShape } from './shape.ts'

export type Prepared = { readonly shape: Shape; readonly cost: Cost }

/**
 * @throws CodedError `VALIDATION_FAILED` for variables that do not fit, or without the operation; `QUERY_TOO_COMPLEX`
 * beyond a bound
 */
export function prepareOperation(asked: Asked): Prepared {
  const shape = toShape(asked)
  if (!shape) throw new CodedError('VALIDATION_FAILED', 'The document has no operation of this name.')
  return { shape, cost: measure(shape) }
}
