/** The session of the connected wallet, its begin and its end. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from 'claim-financing-client'
import { useEffect } from 'react'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'

/**
 * Returns the session of the connected wallet, also after a switch of wallets; undefined without a session, and until
 * it is known.
 */
export function useSession(): Session | undefined {
  const gateway = useGateway()
  const cache = useQueryClient()
  const key = readKey(gateway, 'session')
  const { data } = useQuery({ queryKey: key, queryFn: async () => (await gateway.session()) ?? null })
  useEffect(
    () =>
      gateway.onSession((session) => {
        cache.setQueryData(readKey(gateway, 'session'), session ?? null)
      }),
    [gateway, cache],
  )
  return data ?? undefined
}

/** Signs in and out: `const { session, signIn, signOut } = useSignIn()`; `signIn.mutate()` prompts the wallet. */
export function useSignIn(options?: { statement?: string }) {
  const gateway = useGateway()
  const session = useSession()
  const signIn = useMutation({ mutationFn: () => gateway.signIn(options) })
  const signOut = useMutation({ mutationFn: () => gateway.logout() })
  return { session, signIn, signOut }
}
