/** Vaults side by side. */
import { useRead } from 'claim-financing-react'
import { Loaded, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { chosenToken, TokenChoice } from '../parts/token-choice.tsx'
import { Money, percent, VaultLink } from '../parts/values.tsx'
import { VAULTS, type VaultListed } from './documents.ts'
import { TermsCurve } from './terms-curve.tsx'

export function Vaults({ params }: { params: URLSearchParams }) {
  const read = useRead(VAULTS, {})
  const used = new Set(read.data?.vaults.nodes.map(({ tokenInfo }) => tokenInfo.address))
  const tokens = (read.data?.tokens.nodes ?? []).filter(({ address }) => used.has(address))
  const token = chosenToken(tokens, params)
  return (
    <Page title="Vaults" actions={<TokenChoice tokens={tokens} chosen={token} />}>
      <Loaded read={read}>
        {({ vaults, claimAggregates }) => {
          const shown = vaults.nodes.filter(({ tokenInfo }) => tokenInfo.address === token?.address)
          return (
            <>
              <VaultTable vaults={shown} />
              {vaults.pageInfo.hasNextPage ? (
                <p>These are the 100 vaults with most to lend. GraphQL has all of them.</p>
              ) : null}
              <Section title="Terms">
                <TermsCurve
                  vaults={shown.filter(({ active }) => active)}
                  types={claimAggregates.nodes}
                  params={params}
                />
              </Section>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** All vaults of the table have one token, so its amounts are without the symbol. */
function VaultTable({ vaults }: { vaults: readonly VaultListed[] }) {
  return (
    <Table
      caption="Vaults"
      rows={vaults}
      keyOf={({ address }) => address}
      empty="No vault lends this token yet."
      columns={[
        {
          name: 'Vault',
          cell: (vault) => (
            <>
              <VaultLink {...vault} />
              {vault.active ? '' : ' (inactive)'}
            </>
          ),
        },
        {
          name: 'Value',
          isNumber: true,
          cell: ({ capital, tokenInfo }) => (
            <Money amount={capital.totalAssets} token={unit(tokenInfo)} compact />
          ),
        },
        {
          name: 'One share',
          isNumber: true,
          cell: ({ capital, tokenInfo }) => (
            <Money amount={capital.sharePrice} token={unit(tokenInfo)} digits={4} />
          ),
        },
        {
          name: 'Free to lend',
          isNumber: true,
          cell: ({ capital, tokenInfo }) => (
            <Money amount={capital.fundableLiquidity} token={unit(tokenInfo)} compact />
          ),
        },
        { name: 'Utilization', isNumber: true, cell: ({ capital }) => percent(capital.utilizationBps) },
        {
          name: 'Outstanding',
          isNumber: true,
          cell: ({ capital, tokenInfo }) => (
            <Money amount={capital.outstandingFace} token={unit(tokenInfo)} compact />
          ),
        },
        {
          name: 'Overdue',
          isNumber: true,
          cell: ({ capital, tokenInfo }) => (
            <Money amount={capital.overdueFace} token={unit(tokenInfo)} compact />
          ),
        },
        { name: 'Return', isNumber: true, cell: ({ capital }) => percent(capital.yieldToDateBps) },
        { name: 'Discount', isNumber: true, cell: ({ pricing }) => percent(pricing.baseDiscountBps) },
        { name: 'Each day', isNumber: true, cell: ({ pricing }) => percent(pricing.durationBpsPerDay) },
        { name: 'Days to due', isNumber: true, cell: ({ mandate }) => durations(mandate) },
      ]}
    />
  )
}

const unit = ({ decimals }: VaultListed['tokenInfo']) => ({ decimals })

function durations({ minDurationDays, maxDurationDays }: VaultListed['mandate']): string {
  return `${minDurationDays} to ${maxDurationDays}`
}
