/** One vault: what it holds, what it earns, on which terms it lends, and who owes it. */
import type { Address } from 'claim-financing-client'
import { useRead } from 'claim-financing-react'
import { useMemo } from 'react'
import { AmountSeries, MaturityLadder, NumberSeries } from '../parts/charts.tsx'
import { Figures, Loaded, Page, Section } from '../parts/page.tsx'
import { daysAgo } from '../parts/periods.ts'
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
import { NO_LIMIT } from './terms-texts.ts'

const DAYS_SHOWN = 90

export function Vault({ address }: { address: Address }) {
  const from = useMemo(() => daysAgo(DAYS_SHOWN), [])
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
          ['Return, 30 days', percent(vault.returns.last30DaysBps)],
          ['Return to date', percent(vault.returns.toDateBps)],
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
        <Figures
          items={[
            [
              'Face of one slice',
              <Range key="s" from={vault.mandate.minFace} to={vault.mandate.maxFace} token={token} />,
            ],
            ['Most face of one issuer', <Limit key="l" most={vault.mandate.maxIssuerFace} token={token} />],
            ['Days until due', `${vault.mandate.minDurationDays} to ${vault.mandate.maxDurationDays}`],
            ['Base discount', percent(vault.pricing.baseDiscountBps)],
            ['Discount per day', percent(vault.pricing.durationBpsPerDay)],
            ['Notice of new terms', `${days(vault.noticePeriod / 86_400)} days`],
          ]}
        />
        {vault.pendingTerms ? (
          <p>
            New terms take effect at <When at={vault.pendingTerms.effectiveAt} />: base discount{' '}
            {percent(vault.pendingTerms.pricing.baseDiscountBps)},{' '}
            {percent(vault.pendingTerms.pricing.durationBpsPerDay)} per day.
          </p>
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

function Range({ from, to, token }: { from: string; to: string; token: VaultShown['tokenInfo'] }) {
  if (BigInt(to) === NO_LIMIT)
    return (
      <>
        at least <Money amount={from} token={token} compact />
      </>
    )
  return (
    <>
      <Money amount={from} token={{ decimals: token.decimals }} compact /> to{' '}
      <Money amount={to} token={token} compact />
    </>
  )
}

function Limit({ most, token }: { most: string; token: VaultShown['tokenInfo'] }) {
  return BigInt(most) === NO_LIMIT ? 'no limit' : <Money amount={most} token={token} compact />
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
              return record ? <Money amount={record.overdue} token={token} /> : '–'
            },
          },
        ]}
      />
    </>
  )
}
