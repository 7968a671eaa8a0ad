/** Claims that can be financed, with the face of them that one vault holds. */
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { ClaimState } from '../../domain/claim.ts'
import { MAX_SLICES_PER_CLAIM } from '../../domain/limits.ts'
import type { BaseUnits } from '../../domain/money.ts'
import type { UnixSeconds } from '../../domain/time.ts'
import type { Snapshot } from '../session/snapshot.ts'
import { view } from '../sql/source.ts'

/** A claim with a face and a slice left, of an active issuer, and not due. */
export type OpenClaim = {
  claimId: Hex
  issuer: Address
  beneficiary: Address
  token: Address
  faceValue: BaseUnits
  financedFaceValue: BaseUnits
  dueAt: UnixSeconds
  claimType: number
  sliceCount: number
  state: ClaimState
  heldFace: BaseUnits
  /** Face that all claims of the issuer owe the vault. */
  owedFace: BaseUnits
}

type Texts = 'faceValue' | 'financedFaceValue' | 'dueAt' | 'heldFace' | 'owedFace'
type Row = Omit<OpenClaim, Texts> & Record<Texts, string>

/** Reads at most `limit` claims of the token, those that are due first. */
export async function readOpenClaims(
  { db, finalizedThrough }: Pick<Snapshot, 'db' | 'finalizedThrough'>,
  { vault, token }: { vault: Address; token: Address },
  limit: number,
): Promise<OpenClaim[]> {
  const { rows } = await sql<Row>`
    select claim.id as claim_id, claim.issuer, claim.beneficiary, claim.token, claim.face_value::text,
      claim.financed_face_value::text, claim.due_at::text, claim.claim_type, claim.slice_count, claim.state,
      (select coalesce(sum(face_amount), 0)::text from ${view('allocation')} as held
        where held.claim_id = claim.id and held.vault = ${vault}) as held_face,
      coalesce(owed.face, 0)::text as owed_face
    from ${view('claim')} as claim join ${view('issuer')} as issuer on issuer.address = claim.issuer
      left join (select issuer, sum(face_amount - repaid_face) as face from ${view('allocation')}
        where vault = ${vault} group by issuer) as owed on owed.issuer = claim.issuer
    where claim.token = ${token} and claim.state in ('ELIGIBLE', 'PARTIALLY_FUNDED') and issuer.active
      and claim.due_at > ${finalizedThrough.timestamp} and claim.slice_count < ${MAX_SLICES_PER_CLAIM}
    order by claim.due_at, claim.id limit ${limit}`.execute(db)
  return rows.map((row) => ({
    ...row,
    faceValue: BigInt(row.faceValue),
    financedFaceValue: BigInt(row.financedFaceValue),
    dueAt: BigInt(row.dueAt),
    heldFace: BigInt(row.heldFace),
    owedFace: BigInt(row.owedFace),
  }))
}
