/**
 * Amounts of ISO 20022: at most 18 digits, of which 5 are decimals (`ActiveOrHistoricCurrencyAndAmount`). The rest is
 * cut.
 */
import { formatUnits } from 'viem'
import { validationFailed } from '../../../errors.ts'
import type { StatementBalance } from '../../../projection/statements/statement.ts'

const DIGITS_MAX = 18
const DECIMALS_MAX = 5

/** Writes the amounts of one balance with one number of decimals, and adds up what it wrote. */
export type Rounded = {
  /** An opening or a closing balance. */
  readonly whole: (amount: bigint) => string
  /** An entry. */
  readonly add: (amount: bigint) => string
  /** The amount that is missing to the closing balance after all entries; undefined if none is. */
  readonly rest: (closing: bigint) => string | undefined
}

/** @throws CodedError `VALIDATION_FAILED` if an amount has more than 18 digits before its decimals */
export function roundedFor({ account, unit, decimals, ...amounts }: StatementBalance): Rounded {
  const { opening, closing, increases, decreases } = amounts
  const largest = [opening, closing, increases, decreases].reduce((max, amount) => {
    const size = amount < 0n ? -amount : amount
    return size > max ? size : max
  }, 0n)
  const digits = (largest / 10n ** BigInt(decimals)).toString().length
  if (digits > DIGITS_MAX) throw tooLarge(account, unit)
  const shown = Math.min(DECIMALS_MAX, decimals, DIGITS_MAX - digits)
  const step = 10n ** BigInt(decimals - shown)
  const write = (steps: bigint) => formatUnits(steps, shown)
  let sum = opening / step
  return {
    whole: (amount) => write(amount / step),
    add: (amount) => {
      sum += amount / step
      return write(amount / step)
    },
    rest: (closing) => (closing / step === sum ? undefined : write(closing / step - sum)),
  }
}

function tooLarge(account: string, unit: string): Error {
  return validationFailed([
    {
      path: 'file',
      message: `must not be XML: an amount of ${account} ${unit} has more than ${DIGITS_MAX} digits before its decimals, the maximum of ISO 20022`,
    },
  ])
}
