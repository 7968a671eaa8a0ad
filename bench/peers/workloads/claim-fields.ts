/** The eight fields of a claim, as each server names and writes them, and as one row. */
import { z } from 'zod'

const unix = (time: string) => String(Date.parse(time) / 1000)
const address = z.strictObject({ address: z.string() }).transform((account) => account.address)

const plain = {
  issuer: z.string(),
  beneficiary: z.string(),
  token: z.string(),
  faceValue: z.string(),
  dueAt: z.string(),
  claimType: z.int(),
  state: z.string(),
}

export const claimFields = {
  ours: 'claimId issuer { address } beneficiary { address } token: tokenInfo { address } faceValue dueDate claimType state',
  postgraphile: 'rowId issuer beneficiary token faceValue dueAt claimType state',
  ponder: 'id issuer beneficiary token faceValue dueAt claimType state',
}

const sqlClaim = z.strictObject({ id: z.string(), ...plain })

export const claimShapes = {
  ours: z
    .strictObject({
      claimId: z.string(),
      issuer: address,
      beneficiary: address,
      token: address,
      faceValue: z.string(),
      dueDate: z.string().transform(unix),
      claimType: z.int(),
      state: z.string(),
    })
    .transform(({ claimId: id, dueDate: dueAt, ...claim }) => ({ id, dueAt, ...claim })),
  postgraphile: z
    .strictObject({ rowId: z.string(), ...plain })
    .transform(({ rowId: id, ...claim }) => ({ id, ...claim })),
  ponder: sqlClaim,
  sql: sqlClaim,
}
