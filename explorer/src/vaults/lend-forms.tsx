/** Actions on a vault: deposits, withdrawals, and new terms by its curator. */
import { useDeposit, useTerms, useWithdraw } from 'claim-financing-react'
import { useState } from 'react'
import { AmountInput, amountOf } from '../parts/amount-input.tsx'
import { Section } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import type { VaultShown } from './documents.ts'

export function LendForms({ vault }: { vault: VaultShown }) {
  return (
    <Section title="Lend">
      <SignedIn to="deposit and withdraw">
        {(wallet) => (
          <div className="forms">
            <Deposit vault={vault} />
            <Withdraw vault={vault} />
            {wallet === vault.curator.address ? <Terms vault={vault} /> : null}
          </div>
        )}
      </SignedIn>
    </Section>
  )
}

function Deposit({ vault: { address: vault, tokenInfo: token } }: { vault: VaultShown }) {
  const deposit = useDeposit()
  const [text, setText] = useState('')
  const assets = amountOf(text, token)
  return (
    <form action={() => assets && deposit.mutate({ vault, assets })}>
      <AmountInput label="Deposit" token={token} text={text} onChange={setText} />
      <button type="submit" disabled={!assets || deposit.isPending}>
        Deposit
      </button>
      <Progress running={deposit} />
    </form>
  )
}

function Withdraw({ vault: { address: vault, tokenInfo: token } }: { vault: VaultShown }) {
  const withdraw = useWithdraw()
  const [text, setText] = useState('')
  const assets = amountOf(text, token)
  return (
    <form action={() => assets && withdraw.mutate({ vault, assets })}>
      <AmountInput label="Withdraw" token={token} text={text} onChange={setText} />
      <button type="submit" disabled={!assets || withdraw.isPending}>
        Withdraw
      </button>{' '}
      <button
        type="button"
        disabled={withdraw.isPending}
        onClick={() => withdraw.mutate({ vault, all: true })}
      >
        Withdraw all
      </button>
      <Progress running={withdraw} />
    </form>
  )
}

/** New discounts. They take effect after the notice of the vault. */
function Terms({ vault: { address: vault, pricing, pendingTerms } }: { vault: VaultShown }) {
  const terms = useTerms()
  const [base, setBase] = useState(`${pricing.baseDiscountBps}`)
  const [perDay, setPerDay] = useState(`${pricing.durationBpsPerDay}`)
  const submit = () =>
    terms.mutate({
      vault,
      pricing: {
        baseDiscountBps: Number(base),
        durationBpsPerDay: Number(perDay),
        premiumBps: pricing.premiumBps,
      },
    })
  return (
    <form action={submit}>
      <BpsInput label="Base discount, basis points" text={base} onChange={setBase} />
      <BpsInput label="Discount per day, basis points" text={perDay} onChange={setPerDay} />
      <button type="submit" disabled={terms.isPending}>
        Submit new terms
      </button>{' '}
      {pendingTerms ? (
        <>
          <button
            type="button"
            disabled={terms.isPending}
            onClick={() => terms.mutate({ vault, action: 'accept' })}
          >
            Put pending terms into effect
          </button>{' '}
          <button
            type="button"
            disabled={terms.isPending}
            onClick={() => terms.mutate({ vault, action: 'revoke' })}
          >
            Take them back
          </button>
        </>
      ) : null}
      <Progress running={terms} />
    </form>
  )
}

function BpsInput({
  label,
  text,
  onChange,
}: {
  label: string
  text: string
  onChange: (text: string) => void
}) {
  return (
    <label className="field">
      {label}
      <input
        type="number"
        min={0}
        max={10_000}
        required
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
