/** Global ids (Relay): base64 of the type's name and the object's own key. */
import { validationFailed } from '../../errors.ts'

export type GlobalId = { typename: string; id: string }

/** The longest id is a leg's: a hash and an index of up to 78 digits. */
const GLOBAL_ID = /^(?<typename>[A-Za-z]{1,40}):(?<id>[\w-]{1,160})$/

export function encodeGlobalId(typename: string, id: string | number | bigint): string {
  return Buffer.from(`${typename}:${id}`).toString('base64')
}

/** @throws CodedError `VALIDATION_FAILED` for an id that `encodeGlobalId` could not have written */
export function decodeGlobalId(globalId: string): GlobalId {
  const { typename, id } = GLOBAL_ID.exec(Buffer.from(globalId, 'base64').toString('utf8'))?.groups ?? {}
  if (typename === undefined || id === undefined) {
    throw validationFailed([{ path: 'id', message: 'must be an id that this API gave' }])
  }
  return { typename, id }
}
