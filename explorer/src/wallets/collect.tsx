import type { Address, components } from 'claim-financing-client'
import { useSend, useSession } from 'claim-financing-react'
import { Progress } from '../parts/progress.tsx'

/** Withdraws what the router holds for the signed-in wallet. */
export function Collect({ token }: { token: Address }) {
  const wallet = useSession()?.wallet
  const send = useSend<components['schemas']['PreparedTransaction']>()
  if (!wallet) return null
  const collect = () =>
    send.mutate((gateway) =>
      gateway.post('/api/v1/credits/withdrawal/prepare', { body: { token, to: wallet } }),
    )
  return (
    <>
      <button type="button" disabled={send.isPending} onClick={collect}>
        Collect
      </button>
      <Progress running={send} />
    </>
  )
}
