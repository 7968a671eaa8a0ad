import { z } from 'zod'
import type { Read, Row, Sample, Workload } from '../read.ts'
import { list, unchangedList } from './list.ts'
import { sql } from './sql.ts'

const path = (sample: Sample) => ({ path: `/api/v1/claims/${sample.claimId}` })

const shared = {
  issuer: z.string(),
  beneficiary: z.string(),
  token: z.string(),
  faceValue: z.string(),
  financedFaceValue: z.string(),
  claimType: z.int(),
  sliceCount: z.int(),
  state: z.string(),
  documentHash: z.string(),
  registrationTransaction: z.string(),
}
const allocation = z.object({
  sliceIndex: z.int(),
  vault: z.string(),
  faceAmount: z.string(),
  advanceAmount: z.string(),
})
const unix = (time: string) => String(Date.parse(time) / 1000)

/** The columns; what is derived from them and the block is compared with nothing. */
const ours = z
  .object({
    claimId: z.string(),
    ...shared,
    dueDateUnix: z.int().transform(String),
    registeredAt: z.string().transform(unix),
    registeredBlock: z.int().transform(String),
    allocations: z.array(allocation),
  })
  .transform(({ claimId: id, dueDateUnix: dueAt, ...rest }): Row[] => [{ id, dueAt, ...rest }])

const document = z
  .strictObject({
    id: z.string(),
    ...shared,
    dueAt: z.string(),
    registeredAt: z.string(),
    registeredBlock: z.string(),
    allocations: z.array(allocation),
  })
  .transform((row): Row[] => [row])

const read: Read = { request: path, rows: ours }
const unchanged: Read = {
  request: (sample, prepared) => ({ ...path(sample), headers: { 'if-none-match': prepared } }),
  prepare: async (send, sample) => (await send(path(sample))).headers.get('etag') ?? '',
  rows: z.literal('').transform((): Row[] => []),
  status: 304,
}

export const rest: Workload[] = [
  {
    id: 'rest',
    title: 'REST claim',
    reads: { ours: read, sql: sql('document', (sample) => [sample.claimId], document) },
  },
  { id: 'rest-unchanged', title: 'REST claim, `If-None-Match`', reads: { ours: unchanged } },
]

/** Repeated within a block by the gateway that keeps answers. */
export const repeated: Workload[] = [
  { id: 'list-repeated', title: 'repeated list', repeats: true, reads: kept(list.reads.ours) },
  {
    id: 'list-304',
    title: 'repeated list by GET, `If-None-Match`',
    repeats: true,
    reads: kept(unchangedList),
  },
  { id: 'rest-repeated', title: 'repeated REST claim', repeats: true, reads: kept(read) },
  { id: 'rest-304', title: 'repeated REST claim, `If-None-Match`', repeats: true, reads: kept(unchanged) },
]

function kept(read: Read | undefined) {
  return read ? { kept: read } : {}
}

const status = z.object({ status: z.literal('ok') }).transform((row) => [row])

export const health: Workload = {
  id: 'health',
  title: '`/health` (no database)',
  reads: {
    ours: { request: () => ({ path: '/api/v1/health' }), rows: status },
    sql: { request: () => ({ path: '/health' }), rows: status },
  },
}
