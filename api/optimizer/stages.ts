import { allot, type Fuse } from './model/fuse.ts'
import type { Workspace } from './relaxation/workspace.ts'

/** Where the relaxation says much, branch and bound needs less than this. */
const FIRST_TRY = 25_000_000

/** Steps that meeting in the middle may take, and how many table steps one takes as long as. */
const LOT_STEPS = 130_000_000
const LOT_STEP = 4

/**
 * Lets the two solvers of fixed lots work in turn until one says that it is done: branch and bound for a moment, then
 * meeting in the middle, then branch and bound with what is left of the fuse.
 */
export function inTurn(
  space: Workspace,
  search: (part: Workspace) => boolean,
  meet: (work: Fuse) => boolean,
): void {
  const { fuse } = space
  if (allot(fuse, FIRST_TRY, 1, (part) => search({ ...space, fuse: part }))) return
  if (allot(fuse, LOT_STEPS, LOT_STEP, meet)) return
  search(space)
}
