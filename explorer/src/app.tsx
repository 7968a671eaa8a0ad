import { useLiveReads } from 'claim-financing-react'
import { Component, lazy, type ReactNode, Suspense } from 'react'
import { Claim } from './claims/claim.tsx'
import { Claims } from './claims/claims.tsx'
import { Issuer } from './issuers/issuer.tsx'
import { Issuers } from './issuers/issuers.tsx'
import { Market } from './market/market.tsx'
import { Failure } from './parts/failure.tsx'
import { Page } from './parts/page.tsx'
import { isAddress, isHash } from './place/hex.ts'
import { linkTo, type Place, usePlace } from './place/place.ts'
import { Account } from './shell/account.tsx'
import { Connection } from './shell/connection.tsx'
import { Statement } from './statements/statement.tsx'
import { Vault } from './vaults/vault.tsx'
import { Vaults } from './vaults/vaults.tsx'
import { Wallet } from './wallets/wallet.tsx'

/** Pages that act load the rest of the client: a visitor who looks does not wait for it. */
const Finance = lazy(() => import('./finance/finance.tsx'))
const Desk = lazy(() => import('./desk/desk.tsx'))
const Register = lazy(() => import('./finance/register.tsx'))

const NAVIGATION = [
  ['', 'Market'],
  ['vaults', 'Vaults'],
  ['issuers', 'Issuers'],
  ['claims', 'Claims'],
  ['finance', 'Finance'],
  ['desk', 'Desk'],
] as const

/** Least time between two reads of a page: a development system has a block each second. */
const REPEAT_MS = 10_000

export function App() {
  return (
    <Connection>
      <Shell />
    </Connection>
  )
}

function Shell() {
  const place = usePlace()
  const [page = ''] = place.path
  const { isLive } = useLiveReads({ everyMs: REPEAT_MS })
  return (
    <>
      <button type="button" className="skip" onClick={skip}>
        Skip to the content
      </button>
      <header>
        <a className="brand" href="#/">
          Claim financing
        </a>
        <nav aria-label="Pages">
          {NAVIGATION.map(([path, name]) => (
            <a key={path} href={linkTo(path ? [path] : [])} aria-current={page === path ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span className={isLive ? 'live' : 'live lost'}>{isLive ? 'Live' : 'Connecting'}</span>
        <Account />
      </header>
      <Boundary key={place.path.join('/')}>
        <Suspense fallback={<Page title="Loading" />}>
          <Pages place={place} />
        </Suspense>
      </Boundary>
    </>
  )
}

/** The fragment of the URL names a page, so a link to an element would leave it. */
function skip(): void {
  document.querySelector<HTMLElement>('main')?.focus()
}

function Pages({ place: { path, params } }: { place: Place }) {
  const [page, id, address] = path
  if (page === undefined) return <Market params={params} />
  if (page === 'vaults') return isAddress(id) ? <Vault address={id} /> : <Vaults params={params} />
  if (page === 'issuers') return isAddress(id) ? <Issuer address={id} /> : <Issuers params={params} />
  if (page === 'claims') return isHash(id) ? <Claim claimId={id} /> : <Claims params={params} />
  if (page === 'wallets' && isAddress(id)) return <Wallet address={id} />
  if (page === 'statements' && isAddress(address))
    return <Statement kind={id} address={address} params={params} />
  if (page === 'finance') return <Finance params={params} />
  if (page === 'desk') return <Desk params={params} />
  if (page === 'register') return <Register />
  return (
    <Page title="There is no such page">
      <p>
        <a href="#/">Go to the market</a>
      </p>
    </Page>
  )
}

/** A fault of one page leaves the others usable. */
class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <Page title="This page failed">
        <Failure error={error} retry={() => location.reload()} />
      </Page>
    )
  }
}
