/** One vault: what it holds, what it earns, on which terms it lends, and who owes it. */
import type { Address } from 'claim-financing-client'
import { useRead } from 'claim-financing-react'
import { useMemo } from 'react'
import { AmountSeries, MaturityLadder, NumberSeries } from '../parts/charts.tsx'
import { Figures, Loaded, Page, Section } from '../parts/page.tsx'
import { firstDayShown } from '../parts/periods.ts'
import { StatementLink } from '../parts/statement-link.tsx'
import { Table } from '../parts/table.tsx'
import {
  ClaimLink,
  Day,
  days,
  IssuerLink,
  Money,
  percent,
  Short,
  toNumber,
  WalletLink,
  When,
} from '../parts/values.tsx'
import { usePlace } from '../place/place.ts'
import { type ClaimTypes, RECORDS, VAULT, type VaultShown } from './documents.ts'
import { LendForms } from './lend-forms.tsx'
import { TermsCurve } from './terms-curve.tsx'
import { TermsFigures } from './terms-figures.tsx'

export function Vault({ address }: { address: Address }) {
  const from = useMemo(firstDayShown, [])
  const read = useRead(VAULT, { vault: address, from })
  const vault = read.data?.vault
  return (
    <Page title={vault?.name || 'Vault'} actions={<StatementLink kind="vault" address={address} />}>
      <Loaded read={read}>
        {(data) =>
          data.vault ? (
            <Shown vault={data.vault} types={data.claimAggregates.nodes} />
          ) : (
            <p>There is no vault at this address.</p>
          )
        }
      </Loaded>
    </Page>
  )
}

function Shown({ vault, types }: { vault: VaultShown; types: ClaimTypes }) {
  const { capital, tokenInfo: token, series } = vault
  const { params } = usePlace()
  return (
    <>
      <p>
        <Short hex={vault.address} /> · {vault.active ? 'active' : 'inactive'} · curated by{' '}
        <WalletLink address={vault.curator.address} /> · since <Day at={vault.registeredAt} />
      </p>
      <Figures
        items={[
          ['Value', <Money key="v" amount={capital.totalAssets} token={token} />],
          ['Free to lend', <Money key="f" amount={capital.fundableLiquidity} token={token} />],
          ['Outstanding face', <Money key="o" amount={capital.outstandingFace} token={token} />],
          ['Overdue face', <Money key="d" amount={capital.overdueFace} token={token} />],
          ['Written down', <Money key="w" amount={capital.writtenDown} token={token} />],
          ['Utilization', percent(capital.utilizationBps)],
          ['Return per year, 30 days', percent(vault.returns.last30DaysBps)],
          ['Return per year, to date', percent(vault.returns.toDateBps)],
        ]}
      />
      <div className="charts">
        <NumberSeries
          title="Value of one share"
          rows={series}
          numberOf={({ sharePrice }) => toNumber(sharePrice, token)}
          show={({ sharePrice }) => <Money amount={sharePrice} token={token} />}
          label={token.symbol}
          as="line"
        />
        <AmountSeries
          title="Outstanding face"
          rows={series}
          token={token}
          amountOf={({ outstandingFace }) => outstandingFace}
          as="area"
        />
        <NumberSeries
          title="Utilization"
          rows={series}
          numberOf={({ utilizationBps }) => utilizationBps / 100}
          show={({ utilizationBps }) => percent(utilizationBps)}
          label="percent"
          as="area"
        />
        <MaturityLadder rows={vault.maturities} token={token} />
      </div>
      <Section title="Terms">
        <TermsFigures terms={vault} token={token} types={types} />
        <p>Notice of new terms: {days(vault.noticePeriod / 86_400)} days.</p>
        {vault.pendingTerms ? (
          <>
            <h3>
              New terms, which can take effect from <When at={vault.pendingTerms.effectiveAt} />
            </h3>
            <TermsFigures terms={vault.pendingTerms} token={token} types={types} />
          </>
        ) : null}
        <TermsCurve vaults={[vault]} types={types} params={params} />
      </Section>
      <LendForms vault={vault} types={types} />
      <Section title="Who owes it">
        <Issuers vault={vault} />
      </Section>
      <Section title="Latest slices">
        <Table
          caption="Latest slices"
          rows={vault.allocations.nodes}
          keyOf={({ id }) => id}
          empty="It has financed nothing yet."
          columns={[
            { name: 'Claim', cell: ({ claim }) => <ClaimLink claimId={claim.claimId} /> },
            { name: 'Financed', cell: ({ fundedAt }) => <When at={fundedAt} /> },
            { name: 'Due', cell: ({ dueDate }) => <Day at={dueDate} /> },
            {
              name: 'Face',
              isNumber: true,
              cell: (slice) => <Money amount={slice.faceAmount} token={token} />,
            },
            {
              name: 'Advance',
              isNumber: true,
              cell: (slice) => <Money amount={slice.advanceAmount} token={token} />,
            },
            { name: 'Discount', isNumber: true, cell: (slice) => percent(slice.effectiveDiscountBps) },
            { name: 'Status', cell: ({ settled }) => (settled ? 'repaid' : 'outstanding') },
          ]}
        />
      </Section>
      <Section title="Lenders">
        <Table
          caption="Lenders"
          rows={vault.positions.nodes}
          keyOf={({ id }) => id}
          empty="Nobody holds a share."
          columns={[
            { name: 'Wallet', cell: ({ owner }) => <WalletLink address={owner.address} /> },
            { name: 'Value', isNumber: true, cell: ({ assets }) => <Money amount={assets} token={token} /> },
            { name: 'Since', cell: ({ since }) => <Day at={since} /> },
          ]}
        />
      </Section>
    </>
  )
}

/** The issuers of what is outstanding, each with how it pays. */
function Issuers({ vault: { concentration, tokenInfo: token } }: { vault: VaultShown }) {
  const { byIssuer, herfindahlBps, weightedDaysToDue, weightedDiscountBps } = concentration
  const issuers = byIssuer.map(({ issuer }) => issuer.address)
  const { data } = useRead(RECORDS, { token: token.address, issuers }, { enabled: issuers.length > 0 })
  const recordOf = (address: Address) =>
    data?.paymentRecords.nodes.find(({ issuer }) => issuer.address === address)
  return (
    <>
      <Figures
        items={[
          ['Herfindahl index', percent(herfindahlBps)],
          ['Mean days until due', days(weightedDaysToDue)],
          ['Mean discount', percent(weightedDiscountBps)],
        ]}
      />
      <Table
        caption="Issuers by outstanding face"
        rows={byIssuer}
        keyOf={({ issuer }) => issuer.address}
        empty="Nothing is outstanding."
        columns={[
          { name: 'Issuer', cell: ({ issuer }) => <IssuerLink {...issuer} /> },
          {
            name: 'Owes',
            isNumber: true,
            cell: (row) => <Money amount={row.outstandingFace} token={token} />,
          },
          { name: 'Share', isNumber: true, cell: ({ shareBps }) => percent(shareBps) },
          {
            name: 'Pays late by (days, mean)',
            isNumber: true,
            cell: ({ issuer }) => days(recordOf(issuer.address)?.averageDaysLate),
          },
          {
            name: 'Overdue to all vaults',
            isNumber: true,
            cell: ({ issuer }) => {
              const record = recordOf(issuer.address)
              return record ? <Money amount={record.issuer.exposure.overdueFace} token={token} /> : '–'
            },
          },
        ]}
      />
    </>
  )
}
