import { formatAmount, type Hash } from 'claim-financing-client'
import { useSettle } from 'claim-financing-react'
import { Section } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import type { ClaimShown } from './documents.ts'

/** Pays what is unpaid of a claim, once it is due. Anyone can pay. */
export function SettleForm({ claim }: { claim: ClaimShown }) {
  const unpaid = BigInt(claim.faceValue) - BigInt(claim.paidFaceValue)
  if (unpaid === 0n || claim.state === 'REVOKED' || !claim.matured) return null
  return (
    <Section title="Pay this claim">
      <SignedIn to="pay it">
        {() => <Settle claimId={claim.claimId} text={formatAmount(unpaid, claim.tokenInfo)} />}
      </SignedIn>
    </Section>
  )
}

function Settle({ claimId, text }: { claimId: Hash; text: string }) {
  const settle = useSettle()
  return (
    <>
      <button
        type="button"
        disabled={settle.isPending || settle.isSuccess}
        onClick={() => settle.mutate({ claimId })}
      >
        Pay {text}
      </button>
      <Progress running={settle} />
    </>
  )
}
