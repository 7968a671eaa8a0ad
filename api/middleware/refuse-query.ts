import { validationFailed } from '../errors.ts'
import type { Step } from './steps.ts'

/** Refuses the parameters of a query where the route has none. */
export const refuseQuery: Step = (c) => {
  if (!c.get('rules').hasNoQuery || !c.req.url.includes('?')) return
  const names = Object.keys(c.req.query())
  if (names.length > 0) throw validationFailed(names.map(unknownField))
}

/** As every schema reports it. @param path name of the parameter or the field */
export const unknownField = (path: string) => ({ path, message: 'is unknown; remove it' })
