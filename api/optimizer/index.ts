export { InvalidOptimizeInput, OptimizerExhausted } from './model/errors.ts'
export { EXACT_SEARCH_MAX_CLAIMS } from './model/exact-search.ts'
export type * from './model/types.ts'
export { optimizeRoute } from './optimize.ts'
