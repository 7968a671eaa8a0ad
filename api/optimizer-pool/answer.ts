import type { RouteResult } from '../optimizer/index.ts'

export type WorkerAnswer =
  | { readonly kind: 'result'; readonly result: RouteResult }
  | { readonly kind: 'exhausted'; readonly nodesVisited: number }
