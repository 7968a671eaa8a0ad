/** A page whose network is its test: what the page asks for is noted, and the test sends to its subscriptions. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type Address,
  createGateway,
  type Eip1193Provider,
  type Gateway,
  type Hash,
  type SessionStorage,
} from 'claim-financing-client'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  GatewayProvider,
  useAccount,
  useLiveAccount,
  useLiveClaim,
  useLiveExecution,
  useLiveReads,
  useSend,
  useSession,
} from '../../packages/react/src/index.ts'

declare const document: {
  createElement: (name: string) => Element
  body: { append: (child: Element) => void }
}
/** The account of the wallet, which the test changes. */
declare const account: Address
/** The storage with the session of the page. */
declare const storage: SessionStorage

const OTHER: Address = `0x${'2'.repeat(40)}`

type Connection = {
  name: string
  variables: unknown
  signal: AbortSignal
  writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>
}
const connections: Connection[] = []
const requests: { name: string; variables: unknown }[] = []
/** Whether the gateway refuses subscriptions. */
const network = { isRefusing: false }

async function fetch(request: Request): Promise<Response> {
  const { query, variables }: { query: string; variables: unknown } = await request.clone().json()
  const [, name = ''] = /(?:query|subscription) (\w+)/.exec(query) ?? []
  if (request.headers.get('Accept') !== 'text/event-stream') {
    requests.push({ name, variables })
    return Response.json({ data: { account: null } })
  }
  if (network.isRefusing) {
    const problem = { code: 'GRAPHQL_VALIDATION_FAILED', detail: 'refused', status: 400 }
    return Response.json(problem, { status: 400, headers: { 'Content-Type': 'application/problem+json' } })
  }
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
  connections.push({ name, variables, signal: request.signal, writer: writable.getWriter() })
  return new Response(readable, { headers: { 'Content-Type': 'text/event-stream' } })
}

/** The newest connection of a subscription. */
const connectionOf = (name: string) => connections.findLast((one) => one.name === name)
Object.assign(globalThis, {
  send: (name: string, data: unknown) => {
    const event = `event: next\ndata: ${JSON.stringify({ data })}\n\n`
    void connectionOf(name)?.writer.write(new TextEncoder().encode(event))
  },
  lose: (name: string) => void connectionOf(name)?.writer.close(),
  refuse: () => {
    network.isRefusing = true
  },
  /** The subscriptions of that name so far. */
  opened: (of: string) =>
    connections
      .filter(({ name }) => name === of)
      .map(({ variables, signal }) => ({ variables, isOver: signal.aborted })),
  asked: (of: string) => requests.filter(({ name }) => name === of).map(({ variables }) => variables),
})

const wallet: Eip1193Provider = {
  request: async ({ method }) => (method === 'eth_chainId' ? '0x7a69' : [account]),
}
const gatewayAt = (url: string) => createGateway({ url, random: () => 0, fetch, wallet, storage })
const gateways = [gatewayAt('http://gateway.test'), gatewayAt('http://other.test')] as const
const CLAIMS: Readonly<Record<string, Hash | undefined>> = {
  One: `0x${'3'.repeat(64)}`,
  Two: `0x${'4'.repeat(64)}`,
  None: undefined,
}

const queries = new QueryClient()

function App() {
  const [[gateway, next], setGateways] = useState<readonly Gateway[]>(gateways)
  if (!gateway || !next) throw new Error('there are two gateways')
  return (
    <QueryClientProvider client={queries}>
      <button type="button" onClick={() => setGateways([next, gateway])}>
        Other gateway
      </button>
      <GatewayProvider gateway={gateway}>
        <Session />
        <Claim />
        <Others />
        <Account />
        <Act />
      </GatewayProvider>
    </QueryClientProvider>
  )
}

function Session() {
  return <p>session: {useSession()?.wallet ?? 'none'}</p>
}

const wordsOf = (read: { data: unknown; isLive: boolean; error: Error | undefined }) =>
  `${JSON.stringify(read.data) ?? 'unread'}, ${read.isLive ? 'live' : 'old'}, ${read.error?.message ?? 'no error'}`

function Claim() {
  const [name, setName] = useState('One')
  const read = useLiveClaim(CLAIMS[name])
  return (
    <>
      {Object.keys(CLAIMS).map((each) => (
        <button type="button" key={each} onClick={() => setName(each)}>
          {each}
        </button>
      ))}
      <p>
        claim {name}: {wordsOf(read)}
      </p>
    </>
  )
}

function Others() {
  return (
    <>
      <p>account: {wordsOf(useLiveAccount(OTHER))}</p>
      <p>execution: {wordsOf(useLiveExecution(CLAIMS.Two))}</p>
    </>
  )
}

/** Reads the account of the session and another one, at most once an hour. */
function Account() {
  const { data: block } = useLiveReads({ everyMs: 3_600_000 })
  useAccount()
  useAccount(OTHER)
  return <p>block: {block}</p>
}

function Act() {
  const { mutate, step, error } = useSend()
  return (
    <>
      <button type="button" onClick={() => mutate(() => Promise.reject(new Error('not prepared')))}>
        Act
      </button>
      <p>
        step: {step?.name ?? 'none'}, {error?.message ?? 'no error'}
      </p>
    </>
  )
}

const root = document.createElement('main')
document.body.append(root)
createRoot(root).render(<App />)
