/** A page that reads claims of one state or of all, from one of two gateways, each with a session of its own. */
import { QueryClient, QueryClientProvider, useIsFetching } from '@tanstack/react-query'
import { type Address, createGateway, deployments, injectedWallet } from 'claim-financing-client'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  type ClaimsInput,
  GatewayProvider,
  useClaims,
  useLiveReads,
  useSend,
  useSignIn,
  useTokens,
} from '../../packages/react/src/index.ts'

declare const location: { search: string }
declare const document: {
  createElement: (name: string) => Element
  body: { append: (child: Element) => void }
}

const options = new URLSearchParams(location.search)
const gateways = ['first', 'second'].map((name) =>
  createGateway({
    url: options.get(name) ?? '',
    deployment: { ...deployments[31337], tokens: [] },
    wallet: injectedWallet(),
  }),
)
/** As the page of a user may spell it, with a checksum. */
const token: Address = `0x${options.get('token')}`
const queries = new QueryClient()

const INPUTS: Readonly<Record<string, ClaimsInput>> = {
  All: {},
  Revoked: { filter: { state: 'REVOKED' } },
}

function App() {
  const [at, setAt] = useState(0)
  const gateway = gateways[at]
  if (!gateway) return null
  return (
    <QueryClientProvider client={queries}>
      <GatewayProvider gateway={gateway}>
        <button type="button" onClick={() => setAt(1 - at)}>
          Other gateway
        </button>
        <p>Gateway {gateway.origin}</p>
        <SignIn />
        <Claims />
        <Failing />
      </GatewayProvider>
    </QueryClientProvider>
  )
}

function SignIn() {
  const { session, signIn } = useSignIn()
  return (
    <>
      <button type="button" onClick={() => signIn.mutate()}>
        Sign in
      </button>
      <p>{session ? `Signed in: ${session.wallet}` : 'Not signed in'}</p>
    </>
  )
}

function Claims() {
  const [name, setName] = useState('All')
  const { data: block } = useLiveReads()
  const { data: rows, isPlaceholderData } = useClaims(INPUTS[name])
  const { show } = useTokens('en')
  return (
    <>
      {Object.keys(INPUTS).map((each) => (
        <button type="button" key={each} onClick={() => setName(each)}>
          {each}
        </button>
      ))}
      <p>
        {isPlaceholderData ? 'Rows before' : 'Rows of'} {name}
      </p>
      <ul>
        {rows?.map(({ claimId, faceValue }) => (
          <li key={claimId}>{show(faceValue, token)}</li>
        ))}
      </ul>
      <p>Block {block}</p>
      <p>{useIsFetching()} under way</p>
    </>
  )
}

/** A transaction that is never prepared. */
function Failing() {
  const send = useSend()
  return (
    <>
      <button type="button" onClick={() => send.mutate(() => Promise.reject(new Error('not prepared')))}>
        Send
      </button>
      {send.error && <p role="alert">{send.error.message}</p>}
    </>
  )
}

const root = document.createElement('main')
document.body.append(root)
createRoot(root).render(<App />)
