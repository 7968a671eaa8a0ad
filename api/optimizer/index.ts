export { InvalidOptimizeInput, OptimizerExhausted } from './errors.ts'
export { EXACT_SEARCH_MAX_CLAIMS } from './limits.ts'
export { optimizeRoute } from './optimize.ts'
export type * from './types.ts'
