export { InvalidOptimizeInput, OptimizerExhausted } from './model/errors.ts'
export { EXACT_SEARCH_MAX_CLAIMS } from './model/problem.ts'
export type * from './model/types.ts'
export { optimizeRoute } from './optimize.ts'
