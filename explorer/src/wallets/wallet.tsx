/** One wallet: what it owns, what it has lent, what it is owed, and what is not final yet. */
import type { Address } from 'claim-financing-client'
import { useRead, useSession } from 'claim-financing-react'
import { ClaimTable } from '../claims/claim-table.tsx'
import { ActivityTable } from '../parts/activity.tsx'
import { Figures, Loaded, Page, Section } from '../parts/page.tsx'
import { StatementLink } from '../parts/statement-link.tsx'
import { Table } from '../parts/table.tsx'
import { Day, IssuerLink, Money, percent, Short, short, VaultLink, When } from '../parts/values.tsx'
import { Collect } from './collect.tsx'
import { WALLET, type WalletPending, type WalletShown } from './documents.ts'

export function Wallet({ address }: { address: Address }) {
  const read = useRead(WALLET, { wallet: address })
  const isOwn = useSession()?.wallet === address.toLowerCase()
  return (
    <Page
      title={`${isOwn ? 'Your wallet' : 'Wallet'} ${short(address)}`}
      actions={<StatementLink kind="wallet" address={address} />}
    >
      <Loaded read={read}>
        {({ account, unfinalized }) => <Shown account={account} pending={unfinalized} isOwn={isOwn} />}
      </Loaded>
    </Page>
  )
}

function Shown({
  account,
  pending,
  isOwn,
}: {
  account: WalletShown
  pending: WalletPending
  isOwn: boolean
}) {
  const { balances, credits, positions, curatedVaults } = account
  return (
    <>
      <p>
        <Short hex={account.address} />
        {account.issuer ? (
          <>
            {' '}
            · issuer <IssuerLink {...account.issuer} />
          </>
        ) : null}
        {curatedVaults.nodes.map((vault) => (
          <span key={vault.address}>
            {' '}
            · curates <VaultLink {...vault} />
          </span>
        ))}
      </p>
      {balances ? (
        <Figures
          items={balances.map((balance) => [
            balance.symbol,
            <Money key={balance.token} amount={balance.balance} token={{ decimals: balance.decimals }} />,
          ])}
        />
      ) : (
        <p>The chain does not answer at present, so balances are missing.</p>
      )}
      <Pending events={pending?.events ?? []} />
      {credits.map(({ amount, tokenInfo }) => (
        <p key={tokenInfo.address}>
          <Money amount={amount} token={tokenInfo} /> could not be paid out and can be collected.{' '}
          {isOwn ? <Collect token={tokenInfo.address} /> : null}
        </p>
      ))}
      <Section title="Shares of vaults">
        <Positions account={account} />
        {positions.nodes.length > 0 ? null : <p>A vault sells shares for deposits of its token.</p>}
      </Section>
      <Section title="Claims">
        <ClaimTable claims={account.claims.nodes} />
      </Section>
      <Section title="Latest events">
        <ActivityTable rows={account.activity.nodes} />
      </Section>
    </>
  )
}

function Positions({ account: { positions } }: { account: WalletShown }) {
  return (
    <Table
      caption="Shares of vaults"
      rows={positions.nodes}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Vault', cell: ({ vault }) => <VaultLink {...vault} /> },
        {
          name: 'Value',
          isNumber: true,
          cell: ({ assets, vault }) => <Money amount={assets} token={vault.tokenInfo} />,
        },
        {
          name: 'Can be withdrawn now',
          isNumber: true,
          cell: ({ withdrawableNow, vault }) => <Money amount={withdrawableNow} token={vault.tokenInfo} />,
        },
        {
          name: 'Cost',
          isNumber: true,
          cell: ({ costBasis, vault }) => <Money amount={costBasis} token={vault.tokenInfo} />,
        },
        {
          name: 'Gain',
          isNumber: true,
          cell: ({ unrealizedGain, realizedGain, vault }) => (
            <Money amount={BigInt(unrealizedGain) + BigInt(realizedGain)} token={vault.tokenInfo} />
          ),
        },
        { name: 'Return', isNumber: true, cell: ({ returnBps }) => percent(returnBps) },
        { name: 'Since', cell: ({ since }) => <Day at={since} /> },
      ]}
    />
  )
}

function Pending({ events }: { events: NonNullable<WalletPending>['events'] }) {
  if (events.length === 0) return null
  return (
    <Section title="Not final yet">
      <ul>
        {events.map(({ name, transactionHash, logIndex, confirmations, expectedFinalAt }) => (
          <li key={`${transactionHash} ${logIndex}`} className="pending">
            {name} in <Short hex={transactionHash} />, confirmations: {confirmations}, final at{' '}
            <When at={expectedFinalAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
