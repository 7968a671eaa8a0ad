import { formatAmount } from 'claim-financing-client'
import { useSettle } from 'claim-financing-react'
import { Section } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import type { ClaimShown } from './documents.ts'

/** Pays what is unpaid of a claim, once it is due. Anyone can pay. The outcome stays when nothing is left to pay. */
export function SettleForm({ claim }: { claim: ClaimShown }) {
  const settle = useSettle()
  const { claimId } = claim
  const unpaid = BigInt(claim.faceValue) - BigInt(claim.paidFaceValue)
  const isPayable = unpaid > 0n && claim.state !== 'REVOKED' && claim.matured
  if (!isPayable && !settle.step) return null
  return (
    <Section title="Pay this claim">
      <SignedIn to="pay it">
        {() => (
          <>
            {isPayable ? (
              <button type="button" disabled={settle.isPending} onClick={() => settle.mutate({ claimId })}>
                Pay {formatAmount(unpaid, claim.tokenInfo)}
              </button>
            ) : null}
            <Progress running={settle} />
          </>
        )}
      </SignedIn>
    </Section>
  )
}
