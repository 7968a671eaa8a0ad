import type { TokenUnit } from 'claim-financing-client'
import { useId } from 'react'
import { amountOf } from './amount.ts'

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
