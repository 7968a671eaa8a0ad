/** Content for a signed-in wallet, or a note in its place. */
import { useSession } from 'claim-financing-react'
import type { ReactNode } from 'react'

export function SignedIn({ to, children }: { to: string; children: (wallet: `0x${string}`) => ReactNode }) {
  const session = useSession()
  if (session) return children(session.wallet)
  return <p className="note">Connect a wallet and sign in at the top of the page to {to}.</p>
}
