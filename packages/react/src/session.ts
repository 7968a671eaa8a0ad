'use client'
/** The session of the connected wallet, its begin and its end. */
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { Session } from 'claim-financing-client'
import { useConnection } from './provider.ts'

/**
 * Returns the session of the connected wallet, also after a switch of wallets; null without a session, and undefined
 * until it is known.
 */
export function useSession(): Session | null | undefined {
  return useConnection().session
}

export type SignIn = {
  /** As `useSession` returns it. */
  session: Session | null | undefined
  /** Prompts the wallet once to connect and once to sign. */
  signIn: UseMutationResult<Session, Error, void>
  /** Ends the session at the gateway and here. */
  signOut: UseMutationResult<void, Error, void>
}

/** Signs in and out: `const { session, signIn, signOut } = useSignIn()`; `signIn.mutate()` prompts the wallet. */
export function useSignIn(options?: { statement?: string }): SignIn {
  const { gateway, session } = useConnection()
  const signIn = useMutation({ mutationFn: () => gateway.signIn(options) })
  const signOut = useMutation({ mutationFn: () => gateway.logout() })
  return { session, signIn, signOut }
}
