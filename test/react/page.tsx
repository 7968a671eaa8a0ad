/**
 * A page on which a person does all that a wallet can send: registers, finances and settles a claim, revokes another,
 * lends, and collects a credit. Rows that are not final are marked as pending.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type Address,
  type components,
  createGateway,
  deployments,
  formatAmount,
  type Gateway,
  injectedWallet,
  type SessionStorage,
} from 'claim-financing-client'
import { createRoot } from 'react-dom/client'
import {
  type ClaimRow,
  GatewayProvider,
  type PendingEvents,
  type Plan,
  type PlannedRoute,
  type RegisterInput,
  type Step,
  useAccount,
  useClaims,
  useDeposit,
  useExecute,
  useLiveReads,
  usePlan,
  useRegister,
  useResume,
  useSend,
  useSettle,
  useSignIn,
  useUnfinalized,
  useVaults,
  useWithdraw,
} from '../../packages/react/src/index.ts'

declare const location: { search: string }
declare const localStorage: SessionStorage
declare const document: {
  createElement: (name: string) => Element
  body: { append: (child: Element) => void }
}
/** The attestation of the page's user. */
declare const invoice: RegisterInput

const gateway = createGateway({
  url: new URLSearchParams(location.search).get('gateway') ?? '',
  // The tokens of the test are no tokens of the manifest.
  deployment: { ...deployments[31337], tokens: [] },
  wallet: injectedWallet(),
  storage: localStorage,
})
const queries = new QueryClient()

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1c2733 }
  h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
  ul { list-style: none; margin: 0; padding: 0 }
  li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .5rem .75rem; border: 1px solid #c9d3de; border-radius: 6px; margin-bottom: .4rem }
  li.pending { border-style: dashed; background: #fff8e6; color: #5f4700 }
  li b { min-width: 9rem }
  button { font: inherit; padding: .2rem .8rem; border-radius: 6px; border: 1px solid #5b7083; background: #fff }
  p { margin: .4rem 0; overflow-wrap: anywhere }
  p[role=alert] { color: #a11; }`

function App() {
  return (
    <QueryClientProvider client={queries}>
      <GatewayProvider gateway={gateway}>
        <style>{STYLE}</style>
        <SignedIn />
      </GatewayProvider>
    </QueryClientProvider>
  )
}

function SignedIn() {
  const { session, signIn } = useSignIn()
  if (session) return <Page wallet={session.wallet} key={session.wallet} />
  return (
    <button type="button" onClick={() => signIn.mutate()}>
      Sign in
    </button>
  )
}

function Page({ wallet }: { wallet: Address }) {
  useLiveReads()
  const { data: account } = useAccount()
  const { data: claims = [] } = useClaims({ filter: { beneficiary: wallet } })
  const { data: pending } = useUnfinalized({ wallet })
  const [register, plan, execute, resume, settle] = [
    useRegister(),
    usePlan(),
    useExecute(),
    useResume(),
    useSettle(),
  ]
  const planHalf = (claimId: ClaimRow['claimId'], face: string) =>
    plan.mutate({ claimIds: [claimId], targetAdvance: `${BigInt(face) / 2n}` })
  return (
    <>
      <p>
        Balance at the finalized block:{' '}
        {account?.balances
          ?.map((balance) => formatAmount(balance.balance, balance, { locale: 'en' }))
          .join(', ')}
      </p>
      <button type="button" onClick={() => register.mutate(invoice)}>
        Register
      </button>{' '}
      <button type="button" onClick={() => resume.mutate()}>
        Resume
      </button>
      <h2>Claims</h2>
      <ul>
        {claims.map(({ claimId, remainingFace, tokenInfo, state }) => (
          <li key={claimId}>
            <b>{state}</b> {formatAmount(remainingFace, tokenInfo, { locale: 'en' })} left{' '}
            <button type="button" onClick={() => planHalf(claimId, remainingFace)}>
              Finance
            </button>
            <button type="button" onClick={() => settle.mutate({ claimId })}>
              Settle
            </button>
            <Send
              name="Revoke"
              prepare={({ post }) =>
                post('/api/v1/claims/{claimId}/revocation/prepare', { params: { path: { claimId } } })
              }
            />
          </li>
        ))}
        {pending?.events.map((event) => (
          <Pending key={`${event.transactionHash} ${event.logIndex}`} event={event} plan={planHalf} />
        ))}
      </ul>
      {plan.data?.route && <Review route={plan.data.route} onExecute={execute.mutate} />}
      {plan.data && <Reasons plan={plan.data} />}
      <Outcome name="Registration" {...register} />
      <Outcome name="Financing" {...execute} />
      <Outcome name="Resumed financing" {...resume} />
      <Outcome name="Settlement" {...settle} />
      <h2>Vault</h2>
      <Lending />
      <h2>Router</h2>
      {account?.credits.map(({ tokenInfo: { address: token } }) => (
        <Send
          key={token}
          name="Collect"
          prepare={({ post }) => post('/api/v1/credits/withdrawal/prepare', { body: { token } })}
        />
      ))}
      <Send name="Cancel routes" prepare={({ post }) => post('/api/v1/routes/cancellation/prepare')} />
    </>
  )
}

function Lending() {
  const { data: [vault] = [] } = useVaults({ first: 1 })
  const [deposit, withdraw] = [useDeposit(), useWithdraw()]
  if (!vault) return null
  const { address, tokenInfo } = vault
  return (
    <>
      <button
        type="button"
        onClick={() =>
          deposit.mutate({ vault: address, assets: `${100n * 10n ** BigInt(tokenInfo.decimals)}` })
        }
      >
        Deposit
      </button>{' '}
      <button type="button" onClick={() => withdraw.mutate({ vault: address, all: true })}>
        Withdraw
      </button>
      <Outcome name="Deposit" {...deposit} />
      <Outcome name="Withdrawal" {...withdraw} />
    </>
  )
}

type SendProps = {
  name: string
  prepare: (gateway: Gateway) => Promise<components['schemas']['PreparedTransaction']>
}

function Send({ name, prepare }: SendProps) {
  const send = useSend()
  return (
    <>
      <button type="button" onClick={() => send.mutate(prepare)}>
        {name}
      </button>
      <Outcome name={name} {...send} />
    </>
  )
}

type PendingProps = {
  event: PendingEvents['events'][number]
  plan: (claimId: ClaimRow['claimId'], face: string) => void
}

function Pending({ event, plan }: PendingProps) {
  const { name, claimId, block, confirmations, expectedFinalAt } = event
  const face = event.arguments.find((argument) => argument.name === 'faceValue')?.value
  return (
    <li className="pending">
      <b>{name}</b>
      <span>
        not final: block {block.number}, confirmations: {confirmations}, final at{' '}
        <Time at={expectedFinalAt} />
      </span>
      {name === 'ClaimRegistered' && claimId && face && (
        <button type="button" onClick={() => plan(claimId, face)}>
          Finance
        </button>
      )}
    </li>
  )
}

/** Why there is no route, or why it is impossible by now. */
function Reasons({ plan: { noRoute, filteredOut, pendingChanges, issues } }: { plan: Plan }) {
  const registered = pendingChanges?.events.find(({ name }) => name === 'ClaimRegistered')
  return (
    <>
      {noRoute && (
        <p role="alert">
          Not planned: {filteredOut.map(({ reason }) => reason).join(', ')}.{' '}
          {registered && (
            <>
              The claim is registered in block {registered.block.number}, which should be final at{' '}
              <Time at={registered.expectedFinalAt} />.
            </>
          )}
        </p>
      )}
      {issues.map(({ code, message }) => (
        <p role="alert" key={code}>
          {message}
        </p>
      ))}
    </>
  )
}

function Review({ route, onExecute }: { route: PlannedRoute; onExecute: (route: PlannedRoute) => void }) {
  const { tokenInfo, totals } = route
  return (
    <p>
      {tokenInfo && formatAmount(totals.totalAdvance, tokenInfo, { locale: 'en' })} now{' '}
      <button type="button" onClick={() => onExecute(route)}>
        Execute
      </button>
    </p>
  )
}

function Outcome({ name, step, error }: { name: string; step: Step | undefined; error: Error | null }) {
  if (error) return <p role="alert">{`${name}: ${error.message}`}</p>
  if (!step) return null
  if (step.name !== 'sent') return <p>{`${name}: ${step.name}`}</p>
  return (
    <p>
      {name}: {step.status ?? 'sent'}
      {step.expectedFinalAt && (
        <>
          , should be final at <Time at={step.expectedFinalAt} />
        </>
      )}
    </p>
  )
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{at.slice(11, 16)} UTC</time>
}

const root = document.createElement('main')
document.body.append(root)
createRoot(root).render(<App />)
