import { type Amount, parseAmount, type TokenUnit } from 'claim-financing-client'
import { useId } from 'react'

/** A field for an amount in units of a token. */
export function AmountInput({
  label,
  token,
  text,
  onChange,
}: {
  label: string
  token: TokenUnit
  text: string
  onChange: (text: string) => void
}) {
  const id = useId()
  const fault = text !== '' && amountOf(text, token) === undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          aria-invalid={fault}
          onChange={({ target }) => onChange(target.value)}
        />{' '}
        <bdi>{token.symbol}</bdi>
      </span>
      {fault ? (
        <small className="fault">An amount is digits, with at most {token.decimals} after a point.</small>
      ) : null}
    </div>
  )
}

/** @returns base units; undefined if the text is no amount above zero */
export function amountOf(text: string, token: TokenUnit): Amount | undefined {
  try {
    const amount = parseAmount(text, token)
    return BigInt(amount) > 0n ? amount : undefined
  } catch {
    return undefined
  }
}
