/** Numbers of the value of vaults over time, as contracts/CarryingValue.sol has them. */
import { SECONDS_PER_DAY } from './limits.ts'

/** Seconds after the due day in which the value of an unpaid allocation declines to zero. */
export const WRITE_DOWN_SECONDS = 90n * SECONDS_PER_DAY
/** Loss of one base unit of face in a second of the write-down, times `VALUE_SCALE`. */
export const LOSS_PER_SECOND = 2n ** 32n
/** Values over time are base units times this. */
export const VALUE_SCALE = WRITE_DOWN_SECONDS * LOSS_PER_SECOND
