/**
 * A copy of the result of `db.find`. Ponder returns a view of its cache, and a later `update` of the same row changes
 * what that view shows; a copy stays. `test/architecture.test.ts` checks that every `db.find` is copied.
 */
export function copyOf<Row extends object>(row: Row | null): Row | null {
  return row && { ...row }
}
