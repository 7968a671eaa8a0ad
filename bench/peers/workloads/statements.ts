/** The one statement of each read. It returns the whole answer as JSON text. */
const table = (name: string) => `projection.${name}`

/** The eight fields of a claim that the lists select. */
const CLAIM = `id, issuer, beneficiary, token, face_value::text as "faceValue", due_at::text as "dueAt", claim_type as "claimType", state`
const NEWEST = 'order by registered_at desc, ordinal desc'
const asList = (rows: string) => `select coalesce(json_agg(rows), '[]')::text as json from (${rows}) as rows`

const ALLOCATIONS = `(
  select coalesce(json_agg(json_build_object(
    'sliceIndex', slice_index, 'faceAmount', face_amount::text, 'advanceAmount', advance_amount::text,
    'vault', (select json_build_object('address', address, 'name', name) from ${table('vault')} where address = allocation.vault)
  ) order by slice_index), '[]')
  from ${table('allocation')} where claim_id = claim.id) as allocations`

const byState = (from: string, sum: string, condition: string) =>
  asList(
    `select token, state, ${sum} as sum from ${table(from)} where ${condition} group by token, state order by token, state`,
  )

export const statements = {
  list: asList(`select ${CLAIM} from ${table('claim')} where issuer = $1 ${NEWEST} limit 50`),
  nested: asList(
    `select id, face_value::text as "faceValue", ${ALLOCATIONS} from ${table('claim')} where issuer = $1 ${NEWEST} limit 20`,
  ),
  claim: `select to_json(rows)::text as json from (select ${CLAIM} from ${table('claim')} where id = $1) as rows`,
  // One row more than the page shows whether there is a next page.
  page: `
    select json_build_object('nodes', coalesce(json_agg(rows) filter (where place <= 50), '[]'), 'hasNextPage', count(*) > 50)::text as json
    from (
      select row_number() over (${NEWEST}) as place, ${CLAIM} from ${table('claim')}
      where registered_at < $1::numeric ${NEWEST} limit 51
    ) as rows`,
  count: `select count(*)::text as json from ${table('claim')} where beneficiary = $1`,
  rollup: byState('claim_total', 'sum(face_value)::text', 'issuer = $1'),
  rows: byState('claim', 'sum(face_value)::text', 'beneficiary = $1'),
  document: `
    select json_build_object(
      'id', id, 'issuer', issuer, 'beneficiary', beneficiary, 'token', token, 'faceValue', face_value::text,
      'dueAt', due_at::text, 'claimType', claim_type, 'state', state, 'financedFaceValue', financed_face_value::text,
      'sliceCount', slice_count, 'documentHash', document_hash, 'registeredAt', registered_at::text,
      'registeredBlock', registered_block::text, 'registrationTransaction', registered_tx,
      'allocations', (
        select coalesce(json_agg(json_build_object(
          'sliceIndex', slice_index, 'vault', vault, 'faceAmount', face_amount::text, 'advanceAmount', advance_amount::text
        ) order by slice_index), '[]')
        from ${table('allocation')} where claim_id = claim.id)
    )::text as json from ${table('claim')} where id = $1`,
} as const satisfies Record<string, string>

export type StatementName = keyof typeof statements
