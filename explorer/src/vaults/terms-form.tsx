/** New terms of a vault by its curator, and what they change before they are signed. They wait for its notice. */
import { type PreparedTerms, type TermsInput, useTerms } from 'claim-financing-react'
import { useState } from 'react'
import { AmountInput } from '../parts/amount-input.tsx'
import { Progress } from '../parts/progress.tsx'
import { When } from '../parts/values.tsx'
import type { ClaimTypes, VaultShown } from './documents.ts'
import { distinctTypes } from './terms-curve.tsx'
import { BPS_MAX, DAYS_MAX, inputOf, LIMITS, type TermsTexts, textsOf } from './terms-texts.ts'

type Question = { prepared: PreparedTerms; decide: (isAccepted: boolean) => void }

export function TermsForm({ vault, types }: { vault: VaultShown; types: ClaimTypes }) {
  const [question, ask] = useState<Question>()
  const terms = useTerms({
    accept: (prepared) =>
      new Promise<boolean>((resolve) => {
        const decide = (isAccepted: boolean) => {
          ask(undefined)
          resolve(isAccepted)
        }
        ask({ prepared, decide })
      }),
  })
  const send = (input: Omit<TermsInput, 'vault'>) => terms.mutate({ vault: vault.address, ...input })
  return (
    <div className="terms">
      <h3>Terms</h3>
      <Fields vault={vault} types={types} isBusy={terms.isPending} submit={send} />
      {vault.pendingTerms ? (
        <p>
          <button type="button" disabled={terms.isPending} onClick={() => send({ action: 'accept' })}>
            Put pending terms into effect
          </button>{' '}
          <button type="button" disabled={terms.isPending} onClick={() => send({ action: 'revoke' })}>
            Take them back
          </button>
        </p>
      ) : null}
      {question ? <Effects {...question} /> : null}
      <Progress running={terms} />
    </div>
  )
}

function Fields({
  vault,
  types,
  isBusy,
  submit,
}: {
  vault: VaultShown
  types: ClaimTypes
  isBusy: boolean
  submit: (input: Omit<TermsInput, 'vault'>) => void
}) {
  const { tokenInfo: token } = vault
  const [texts, setTexts] = useState(() => textsOf(vault))
  const input = inputOf(texts, token)
  const change = (some: Partial<TermsTexts>) => setTexts({ ...texts, ...some })
  return (
    <form action={() => input && submit(input)}>
      {LIMITS.map(({ name, label, isOptional }) => (
        <AmountInput
          key={name}
          label={isOptional ? `${label} (empty: no limit)` : label}
          token={token}
          text={texts[name]}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
      <NumberInput
        label="Least days until due"
        max={DAYS_MAX}
        text={texts.minDurationDays}
        onChange={(minDurationDays) => change({ minDurationDays })}
      />
      <NumberInput
        label="Most days until due"
        max={DAYS_MAX}
        text={texts.maxDurationDays}
        onChange={(maxDurationDays) => change({ maxDurationDays })}
      />
      <NumberInput
        label="Base discount, basis points"
        max={BPS_MAX}
        text={texts.baseDiscountBps}
        onChange={(baseDiscountBps) => change({ baseDiscountBps })}
      />
      <NumberInput
        label="Discount per day, basis points"
        max={BPS_MAX}
        text={texts.durationBpsPerDay}
        onChange={(durationBpsPerDay) => change({ durationBpsPerDay })}
      />
      <Types types={types} texts={texts} change={change} />
      <button type="submit" disabled={!input || isBusy}>
        Submit new terms
      </button>
    </form>
  )
}

/** Claim types to finance, each with its premium. */
function Types({
  types,
  texts: { supported, premiums },
  change,
}: {
  types: ClaimTypes
  texts: TermsTexts
  change: (some: Partial<TermsTexts>) => void
}) {
  const labels = new Map(
    distinctTypes(types).map(({ claimType, claimTypeLabel }) => [claimType, claimTypeLabel]),
  )
  const numbers = new Set([...labels.keys(), ...supported].filter((type) => type !== null))
  const support = (type: number, isSupported: boolean) => {
    const others = [...supported].filter((other) => other !== type)
    change({ supported: new Set(isSupported ? [...others, type] : others) })
  }
  return (
    <fieldset>
      <legend>Claim types</legend>
      {[...numbers]
        .sort((a, b) => a - b)
        .map((type) => {
          const name = labels.get(type) ?? `Type ${type}`
          return (
            <div key={type}>
              <label>
                <input
                  type="checkbox"
                  checked={supported.has(type)}
                  onChange={({ target }) => support(type, target.checked)}
                />{' '}
                <bdi>{name}</bdi>
              </label>
              {supported.has(type) ? (
                <NumberInput
                  label={`Premium of ${name}, basis points`}
                  max={BPS_MAX}
                  text={premiums.get(type) ?? '0'}
                  onChange={(text) => change({ premiums: new Map(premiums).set(type, text) })}
                />
              ) : null}
            </div>
          )
        })}
    </fieldset>
  )
}

function Effects({ prepared: { effects, atOnce, effectiveAt }, decide }: Question) {
  return (
    <fieldset>
      <legend>Effects of the terms</legend>
      {effects ? (
        <ul>
          <li>
            Open claims that the terms accept: {effects.accepted} of {effects.judged}
          </li>
          <li>Newly accepted: {effects.newlyAccepted.count}</li>
          <li>Newly refused: {effects.newlyRefused.count}</li>
          <li>
            Prepared routes that would fail: {effects.brokenRoutes} of {effects.openRoutes}
          </li>
        </ul>
      ) : null}
      {effectiveAt ? (
        <p>
          {atOnce ? 'They take effect at once, at ' : 'They can take effect from '}
          <When at={effectiveAt} />.
        </p>
      ) : null}
      <button type="button" className="primary" onClick={() => decide(true)}>
        Sign
      </button>{' '}
      <button type="button" onClick={() => decide(false)}>
        Do not sign
      </button>
    </fieldset>
  )
}

function NumberInput({
  label,
  max,
  text,
  onChange,
}: {
  label: string
  max: number
  text: string
  onChange: (text: string) => void
}) {
  return (
    <label className="field">
      {label}
      <input
        type="number"
        min={0}
        max={max}
        required
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
