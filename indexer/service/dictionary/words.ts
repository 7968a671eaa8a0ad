/** Form of the data dictionary, and the meanings that many columns share. */
import { VALUE_SCALE } from '../../../api/domain/value.ts'
import type { Column, Table } from '../../../api/projection/sql/source.ts'

/** The meaning of a view and of its columns. A column without a meaning does not compile. */
export type Entry<T extends Table> = {
  readonly view: string
  readonly columns: { readonly [C in Column<T>]: string }
}

export const ISSUER = 'Address of the issuer of the claim.'
export const VAULT = 'Address of the vault.'
export const TOKEN = 'Address of the token of the amounts.'
export const CLAIM = 'Id of the claim.'
export const CLAIM_TYPE = 'Type of the claim, 0 to 255.'
export const SLICE = 'Index of the slice in the claim, from 0.'
export const DAY = 'Start of the UTC day, Unix seconds.'
export const DUE_AT = 'Time at which the claim is due, Unix seconds.'
export const EXECUTION = 'Id of the execution.'
export const ORDINAL =
  'Place of the event on the chain: the number of the block times 2^23, and twice the index of the log.'
export const EVENT_ID = `${ORDINAL} The second of two rows of an event has 1 more.`

/** Where an event is on the chain. */
export const EVENT = {
  block: 'Number of the block.',
  at: 'Time of the block, Unix seconds.',
  tx: 'Hash of the transaction.',
}

/** The last event that changed the row. */
export const CHANGED = {
  changedBlock: 'Number of the block of the last change.',
  changedAt: 'Time of the last change, Unix seconds.',
}

/** Amounts that are added up by day. */
export const REPAID = {
  faceRepaid: 'Financed face that was repaid to vaults, base units.',
  discountEarned: 'Discount of these repayments, base units.',
}

export const FINANCED = {
  faceFinanced: 'Face financed, base units.',
  advanced: 'Advances paid, base units.',
}

/** Value of allocations as lines over time. */
export const LINES = {
  gainPerSecond: `Slope of the gains, base units times ${VALUE_SCALE} per second.`,
  gainOffset: `Gains at Unix time 0 on the same line, base units times ${VALUE_SCALE}.`,
  lossPerSecond: 'Slope of the losses, in the unit of `gain_per_second`.',
  lossOffset: 'Losses at Unix time 0 on the same line, in the unit of `gain_offset`.',
}
