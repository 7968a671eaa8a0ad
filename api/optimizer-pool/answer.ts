import type { OptimizerExhausted, RouteResult } from '../optimizer/index.ts'

export type WorkerAnswer =
  | { readonly kind: 'result'; readonly result: RouteResult }
  | ({ readonly kind: 'exhausted' } & Pick<OptimizerExhausted, 'nodesVisited' | 'advance' | 'atMost'>)
