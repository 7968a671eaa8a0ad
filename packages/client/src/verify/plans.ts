/** The routes that this client had planned: a prepared route must be one of them. */
import { at, listAt } from './compare.ts'

/** A request of `POST /routes/optimize` and the legs of its answer. */
export type Planned = {
  body: unknown
  legs: readonly unknown[]
  /** Milliseconds, by this machine's clock. */
  requestedAt: number
}

/** Routes expire within two minutes; a program that plans many forgets the oldest. */
const PLANS_MAX = 100

export type Plans = {
  keep: (body: unknown, answer: unknown, requestedAt: number) => void
  find: (routeId: unknown) => Planned | undefined
}

export function createPlans(): Plans {
  const plans = new Map<unknown, Planned>()
  return {
    keep(body, answer, requestedAt) {
      const routeId = at(answer, 'routeId')
      if (typeof routeId !== 'string') return
      plans.delete(routeId)
      plans.set(routeId, { body, legs: listAt(answer, 'result.legs'), requestedAt })
      const [oldest] = plans.keys()
      if (plans.size > PLANS_MAX) plans.delete(oldest)
    },
    find: (routeId) => plans.get(routeId),
  }
}
