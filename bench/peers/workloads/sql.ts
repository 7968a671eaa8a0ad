/** Reads of the server that answers with one statement. */
import type { z } from 'zod'
import type { Read, Row, Sample } from '../read.ts'
import type { StatementName } from './statements.ts'

/** @param parameters values of `$1`, `$2` … @param rows shape of the answer */
export function sql(
  name: StatementName,
  parameters: (sample: Sample) => readonly string[],
  rows: z.ZodType<readonly Row[]>,
): Read {
  const query = (sample: Sample) => new URLSearchParams(parameters(sample).map((value) => ['p', value]))
  return { request: (sample) => ({ path: `/${name}?${query(sample)}` }), rows }
}
