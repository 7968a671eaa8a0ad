/** The wallet of the visitor, in the header of each page. */
import { useSignIn } from 'claim-financing-react'
import { useEffect, useRef } from 'react'
import { Failure } from '../parts/failure.tsx'
import { short } from '../parts/values.tsx'
import { linkTo } from '../place/place.ts'
import { useConnectedWallets } from './connection.tsx'

export function Account() {
  const { session, signIn, signOut } = useSignIn({ statement: 'Sign in to the explorer.' })
  const { chosen } = useConnectedWallets()
  if (session)
    return (
      <div className="account">
        <a href={linkTo(['wallets', session.wallet])}>{short(session.wallet)}</a>
        <button type="button" onClick={() => signOut.mutate()}>
          Sign out
        </button>
      </div>
    )
  return (
    <div className="account">
      {chosen ? (
        <button type="button" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
          Sign in with {chosen.name}
        </button>
      ) : null}
      <WalletMenu />
      {signIn.error ? <Failure error={signIn.error} /> : null}
    </div>
  )
}

/** The wallets to choose from. */
function WalletMenu() {
  const { all, chosen, choose } = useConnectedWallets()
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false
    }
    addEventListener('click', close)
    return () => removeEventListener('click', close)
  }, [])
  const pick = (id: string) => {
    choose(id)
    if (menu.current) menu.current.open = false
  }
  return (
    <details className="menu" ref={menu}>
      <summary>{chosen ? 'Other wallet' : 'Connect a wallet'}</summary>
      <ul>
        {all.map(({ id, name }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === chosen?.id} onClick={() => pick(id)}>
              <bdi>{name}</bdi>
            </button>
          </li>
        ))}
        {all.length === 0 ? <li>No wallet is installed in this browser.</li> : null}
      </ul>
    </details>
  )
}
