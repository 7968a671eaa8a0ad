/** Values as people read them. Texts from a chain are set apart, so their direction does not change the page. */
import { type Address, formatAmount, type Hash, type TokenUnit } from 'claim-financing-client'
import { linkTo } from '../place/place.ts'

const LOCALE = 'en'

/** First and last digits of an address or a hash. */
export function short(hex: string): string {
  return `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** An amount in units of its token. Its title has all digits. */
export function Money({
  amount,
  token,
  compact = false,
  digits = 2,
}: {
  amount: string | bigint
  token: TokenUnit
  compact?: boolean
  digits?: number
}) {
  const exact = formatAmount(amount, token, { locale: LOCALE })
  return (
    <span className="number" title={exact}>
      {formatAmount(amount, token, { locale: LOCALE, compact, digits })}
    </span>
  )
}

/** For positions on an axis only: sums are exact amounts. */
export function toNumber(amount: string, { decimals }: TokenUnit): number {
  return Number(amount) / 10 ** decimals
}

/** Basis points as a percentage. */
export function percent(bps: number | null | undefined): string {
  if (bps === null || bps === undefined) return '–'
  return `${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 }).format(bps / 100)} %`
}

export function days(count: number | null | undefined): string {
  if (count === null || count === undefined) return '–'
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 }).format(count)
}

/** A day in UTC, as the projection counts days. */
export function day(at: string): string {
  return at.slice(0, 10)
}

export function Day({ at }: { at: string | null }) {
  return at === null ? '–' : <time dateTime={at}>{day(at)}</time>
}

/** A time in the zone of the visitor; its title has the one in UTC. */
export function When({ at }: { at: string | null }) {
  if (at === null) return '–'
  const text = new Date(at).toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

/** A text that somebody else has chosen. Long ones are cut where they stand. */
export function Name({ text }: { text: string }) {
  return (
    <bdi className="name" title={text}>
      {text}
    </bdi>
  )
}

type Account = { address: Address; label?: string | null }

export function WalletLink({ address }: Account) {
  return <a href={linkTo(['wallets', address])}>{short(address)}</a>
}

export function IssuerLink({ address, label }: Account) {
  return <a href={linkTo(['issuers', address])}>{label ? <Name text={label} /> : short(address)}</a>
}

export function VaultLink({ address, name }: { address: Address; name: string }) {
  return (
    <a href={linkTo(['vaults', address])}>
      <Name text={name || short(address)} />
    </a>
  )
}

export function ClaimLink({ claimId }: { claimId: Hash }) {
  return <a href={linkTo(['claims', claimId])}>{short(claimId)}</a>
}

/** An address or a hash of which only the ends are shown. A click copies all of it. */
export function Short({ hex }: { hex: string }) {
  return (
    <button
      type="button"
      className="copy"
      title={`${hex} (click to copy)`}
      onClick={() => navigator.clipboard.writeText(hex)}
    >
      {short(hex)}
    </button>
  )
}

/** `PARTIALLY_FUNDED` is shown as "partially funded". */
export function words(constant: string): string {
  return constant.toLowerCase().replaceAll('_', ' ')
}

export function State({ state }: { state: string }) {
  return <span className={`state state-${state.toLowerCase().replaceAll('_', '-')}`}>{words(state)}</span>
}
