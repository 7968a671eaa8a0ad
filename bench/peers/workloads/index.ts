import type { Workload } from '../read.ts'
import { claim } from './claim.ts'
import { list } from './list.ts'
import { nested } from './nested.ts'
import { page } from './page.ts'
import { health, repeated, rest } from './rest.ts'
import { count, rollup, rows } from './totals.ts'

export const workloads: readonly Workload[] = [
  list,
  nested,
  claim,
  page,
  count,
  rollup,
  rows,
  ...rest,
  ...repeated,
  health,
]
