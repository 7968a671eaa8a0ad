/** Deposits in a vault and withdrawals from it. Its curator submits new terms. */
import { useDeposit, useWithdraw } from 'claim-financing-react'
import { useState } from 'react'
import { amountOf } from '../parts/amount.ts'
import { AmountInput } from '../parts/amount-input.tsx'
import { Section } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import type { ClaimTypes, VaultShown } from './documents.ts'
import { TermsForm } from './terms-form.tsx'

export function LendForms({ vault, types }: { vault: VaultShown; types: ClaimTypes }) {
  return (
    <Section title="Lend">
      <SignedIn to="deposit and withdraw">
        {(wallet) => (
          <>
            <div className="forms">
              <Deposit vault={vault} />
              <Withdraw vault={vault} />
            </div>
            {wallet === vault.curator.address ? <TermsForm vault={vault} types={types} /> : null}
          </>
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
