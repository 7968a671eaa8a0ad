/** From claims to money: claims are chosen, the cheapest route is planned and reviewed, then signed and followed. */
import type { Address, Hash } from 'claim-financing-client'
import { type ClaimRow, useClaims, usePlan, useResume } from 'claim-financing-react'
import { useState } from 'react'
import { formatUnits } from 'viem'
import { amountOf } from '../parts/amount.ts'
import { AmountInput } from '../parts/amount-input.tsx'
import { Failure } from '../parts/failure.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { Table } from '../parts/table.tsx'
import { chosenToken, TokenChoice } from '../parts/token-choice.tsx'
import { ClaimLink, Day, IssuerLink, Money } from '../parts/values.tsx'
import { isHash } from '../place/hex.ts'
import { LeftOut, NoRouteFound } from './refused.tsx'
import { Review } from './review.tsx'

export default function Finance({ params }: { params: URLSearchParams }) {
  return (
    <Page title="Finance claims">
      <Resume />
      <SignedIn to="finance your claims">
        {(wallet) => <Own key={wallet} wallet={wallet} params={params} />}
      </SignedIn>
    </Page>
  )
}

function Resume() {
  const resume = useResume()
  return (
    <details>
      <summary>A page was closed while a route was executed?</summary>
      <button type="button" disabled={resume.isPending} onClick={() => resume.mutate()}>
        Continue that route
      </button>
      {resume.isSuccess && !resume.data ? <p>No route was interrupted in this tab.</p> : null}
      {resume.data && 'error' in resume.data ? <Failure error={resume.data.error} /> : null}
      <Progress running={resume} />
    </details>
  )
}

/** Rows of a page of the list. */
const CLAIMS_SHOWN = 50

function Own({ wallet, params }: { wallet: Address; params: URLSearchParams }) {
  const filter = { beneficiary: wallet, financeable: true, matured: false }
  const read = useClaims({ filter, orderBy: 'dueDate', orderDirection: 'asc', first: CLAIMS_SHOWN })
  // The claim that a link names can stand on a later page.
  const linked = params.get('claims')
  const claimId = isHash(linked) ? linked : undefined
  const other = useClaims(
    { filter: { ...filter, ...(claimId && { claimId }) } },
    { enabled: claimId !== undefined },
  )
  const error = read.error ?? other.error
  if (error && !read.data) return <Failure error={error} retry={() => read.refetch()} />
  if (!read.data || (claimId && other.isPending)) return <p aria-busy="true">Reading your claims …</p>
  const named = (other.data ?? []).filter((claim) => claim.claimId === claimId)
  const claims = [...new Map([...named, ...read.data].map((claim) => [claim.claimId, claim])).values()]
  const tokens = tokensOf(claims)
  if (tokens.length === 0) return <p>This wallet has no claim that can be financed.</p>
  return (
    <>
      <Choose claims={claims} tokens={tokens} params={params} />
      {read.hasNextPage ? (
        <button type="button" disabled={read.isFetchingNextPage} onClick={() => read.fetchNextPage()}>
          Show more claims
        </button>
      ) : null}
    </>
  )
}

/** The token of most claims first. */
function tokensOf(claims: readonly ClaimRow[]): ClaimRow['tokenInfo'][] {
  const tokens = new Map(claims.map(({ tokenInfo }) => [tokenInfo.address, tokenInfo]))
  const countOf = ({ address }: ClaimRow['tokenInfo']) =>
    claims.filter(({ tokenInfo }) => tokenInfo.address === address).length
  return [...tokens.values()].sort((one, other) => countOf(other) - countOf(one))
}

function Choose({
  claims,
  tokens,
  params,
}: {
  claims: readonly ClaimRow[]
  tokens: readonly ClaimRow['tokenInfo'][]
  params: URLSearchParams
}) {
  const linked = claims.find(({ claimId }) => claimId === params.get('claims'))
  const [picked, setPicked] = useState<readonly Hash[]>(linked ? [linked.claimId] : [])
  const [text, setText] = useState('')
  const plan = usePlan()
  const token = linked && !params.get('token') ? linked.tokenInfo : chosenToken(tokens, params)
  if (!token) return null
  const shown = claims.filter(({ tokenInfo }) => tokenInfo.address === token.address)
  const chosen = shown.filter(({ claimId }) => picked.includes(claimId))
  const face = chosen.reduce((sum, { remainingFace }) => sum + BigInt(remainingFace), 0n)
  const targetAdvance = amountOf(text, token)
  const claimIds = chosen.map(({ claimId }) => claimId)
  const toggle = (claimId: Hash) =>
    setPicked(picked.includes(claimId) ? picked.filter((id) => id !== claimId) : [...picked, claimId])
  return (
    <>
      <Section title="1. Choose claims">
        <TokenChoice tokens={tokens} chosen={token} />
        <Table
          caption="Your claims"
          rows={shown}
          keyOf={({ claimId }) => claimId}
          columns={[
            {
              name: 'Choose',
              cell: ({ claimId }) => (
                <input
                  type="checkbox"
                  aria-label={`Choose claim ${claimId}`}
                  checked={picked.includes(claimId)}
                  onChange={() => toggle(claimId)}
                />
              ),
            },
            { name: 'Claim', cell: (claim) => <ClaimLink {...claim} /> },
            { name: 'Owed by', cell: ({ issuer }) => <IssuerLink {...issuer} /> },
            { name: 'Due', cell: ({ dueDate }) => <Day at={dueDate} /> },
            {
              name: 'Left to finance',
              isNumber: true,
              cell: ({ remainingFace }) => <Money amount={remainingFace} token={token} />,
            },
          ]}
        />
      </Section>
      <Section title="2. Choose an advance">
        <form action={() => targetAdvance && plan.mutate({ claimIds, targetAdvance })}>
          <p>
            Claims chosen: {chosen.length}, with <Money amount={face} token={token} /> of face. The advance is
            less than their face by the discount of the vaults.
          </p>
          <AmountInput label="Advance" token={token} text={text} onChange={setText} />
          <button
            type="button"
            disabled={face === 0n}
            onClick={() => setText(formatUnits(face / 2n, token.decimals))}
          >
            Half of the face
          </button>{' '}
          <button type="submit" disabled={!targetAdvance || claimIds.length === 0 || plan.isPending}>
            Find the cheapest route
          </button>
        </form>
        {plan.error ? <Failure error={plan.error} /> : null}
      </Section>
      {plan.data ? (
        <Section title="3. Review and sign">
          {plan.data.route ? <Review key={plan.data.route.routeId} route={plan.data.route} /> : null}
          {plan.data.noRoute ? <NoRouteFound noRoute={plan.data.noRoute} token={token} /> : null}
          <LeftOut claims={plan.data.filteredOut} />
        </Section>
      ) : null}
    </>
  )
}
