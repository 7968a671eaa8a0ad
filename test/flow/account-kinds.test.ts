/**
 * Every kind of account signs in, has a route prepared and signs it; gateway and contracts judge its signatures alike.
 */
import type { Address, HDAccount, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareDelegateAbi, bareDelegateBytecode } from '../../contracts/testing/generated/BareDelegate.ts'
import {
  signingDelegateAbi,
  signingDelegateBytecode,
} from '../../contracts/testing/generated/SigningDelegate.ts'
import { counterfactualWallet, delegate, newAccount } from '../support/accounts.ts'
import { lowercase } from '../support/parties.ts'
import { createSmartWallet, deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { postVerify, readJson, signIn, signInMessage } from '../support/sign-in.ts'
import { minedReceipt, outcomeOf } from '../support/transactions.ts'

const USD = 1_000_000n

type Account = {
  address: Address
  /** Signs for the account. */
  key: HDAccount
  /** Converts the key's signature to the one with which the account signs in. */
  wrap?: (signature: Hex) => Hex
  /** Makes the contracts know the account; undefined when they do. */
  deploy?: () => Promise<void>
}

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let owner: HDAccount

beforeAll(async () => {
  the = await routes.startRouteWorld()
  owner = the.world.parties.otherBeneficiary.key
})
afterAll(() => the.stop())

async function delegated(to: Address): Promise<HDAccount> {
  const account = newAccount()
  await delegate(the.world.chain, { account, to, sponsor: the.world.parties.stranger })
  return account
}

async function send(to: Address, data: Hex): Promise<void> {
  const { chain, parties } = the.world
  await minedReceipt(chain, await chain.sendTransaction({ account: parties.stranger.key, to, data }))
}

const bareDelegate = () => deployForTest(the.world, bareDelegateAbi, bareDelegateBytecode, [])
const signingDelegate = () =>
  deployForTest(the.world, signingDelegateAbi, signingDelegateBytecode, [owner.address])

const KINDS: { kind: string; make: () => Promise<Account> }[] = [
  {
    kind: 'a key',
    make: async () => {
      const key = newAccount()
      return { address: lowercase(key.address), key }
    },
  },
  {
    kind: 'a key whose delegate lacks ERC-1271',
    make: async () => {
      const key = await delegated(await bareDelegate())
      return { address: lowercase(key.address), key }
    },
  },
  {
    kind: 'a key whose delegate signs with another key (ERC-1271)',
    make: async () => {
      const key = await delegated(await signingDelegate())
      return { address: lowercase(key.address), key }
    },
  },
  {
    kind: 'the delegate of a key (ERC-1271)',
    make: async () => {
      const { address } = await delegated(await signingDelegate())
      return { address: lowercase(address), key: owner }
    },
  },
  {
    kind: 'a deployed contract (ERC-1271)',
    make: async () => createSmartWallet(the.world, the.world.parties.otherBeneficiary),
  },
  {
    kind: 'a contract that is not deployed yet (ERC-6492)',
    make: async () => {
      const key = newAccount()
      const { address, deployment, wrap } = counterfactualWallet(key.address)
      return { address, key, wrap, deploy: () => send(deployment.to, deployment.data) }
    },
  },
]

/** Signs in with the key that is given, as the account does. */
async function attempt({ address, wrap = (signature) => signature }: Account, key: HDAccount) {
  const issuedAt = new Date(Date.now() + the.clock.skewMs)
  const message = await signInMessage(the.app, address, { issuedAt })
  return postVerify(the.app, { message, signature: wrap(await key.signMessage({ message })) })
}

function tokenOf({ address, key, wrap = (signature) => signature }: Account): Promise<string> {
  const issuedAt = new Date(Date.now() + the.clock.skewMs)
  const signMessage = async (signed: { message: string }) => wrap(await key.signMessage(signed))
  return signIn(the.app, { address, signMessage }, { issuedAt })
}

async function preparedRoute(account: Account, token: string) {
  return routes.prepare(the.app, token, await plannedRoute(account, token))
}

async function plannedRoute(account: Account, token: string) {
  const { issuer } = the.world.parties
  await act.createFundedVault(the.world, { token: the.world.usd, capital: 600n * USD })
  const terms = { issuer, beneficiary: account.address, token: the.world.usd, faceValue: 1_000n * USD }
  const { claimId } = await act.registerClaim(the.world, terms)
  await routes.settleDown(the)
  const { routeId } = await routes.optimizeToRoute(the.app, token, {
    claimIds: [claimId],
    targetAdvance: 100n * USD,
  })
  return routeId
}

describe.each(KINDS)('$kind', ({ make }) => {
  it('signs in, and no other key does for it', async () => {
    const account = await make()
    expect((await attempt(account, account.key)).status).toBe(200)
    const refused = await attempt(account, newAccount())
    expect(await readJson(refused)).toMatchObject({ code: 'SIWE_SIGNATURE_INVALID' })
  })

  it('executes the route that it prepared without an issue, and no other key does', async () => {
    const account = await make()
    const prepared = await preparedRoute(account, await tokenOf(account))
    const submit = (key: HDAccount) => {
      const party = { kind: 'EOA', address: account.address, key } as const
      return outcomeOf(routes.signAndSubmit(the.world, party, prepared, the.world.parties.relayer))
    }
    expect(await submit(newAccount())).toBe('InvalidRouteSignature')
    if (account.deploy) {
      expect(prepared.issues).toMatchObject([{ code: 'ACCOUNT_NOT_DEPLOYED' }])
      expect(await submit(account.key)).toBe('InvalidRouteSignature')
      await account.deploy()
    } else {
      expect(prepared.issues).toEqual([])
    }
    expect(await submit(account.key)).toBe('accepted')
    expect(await act.balanceOf(the.world, the.world.usd, account.address)).toBe(prepared.totals.totalAdvance)
  })

  it('attests a claim that can be registered as soon as the account is deployed', async () => {
    const account = await make()
    const { parties } = the.world
    const issuer = { kind: 'EOA', address: account.address, key: account.key } as const
    await act.setIssuerActive(the.world, { issuer: account.address, active: true })
    const terms = { issuer, beneficiary: parties.beneficiary.address, token: the.world.usd, faceValue: USD }
    const attestation = await act.attestationOf(the.world, terms)
    const submit = async (key: HDAccount) => {
      const signature = await act.signAttestation(the.world, { ...issuer, key }, attestation)
      const signed = { attestation, signature, submitter: parties.relayer }
      return outcomeOf(act.submitAttestation(the.world, signed))
    }
    expect(await submit(newAccount())).toBe('InvalidAttestationSignature')
    if (account.deploy) {
      expect(await submit(account.key)).toBe('InvalidAttestationSignature')
      await account.deploy()
    }
    expect(await submit(account.key)).toBe('accepted')
  })
})

describe('an account that is not deployed', () => {
  it('has an issue for this, and for each other reason why its route would revert', async () => {
    const key = newAccount()
    const { address, wrap } = counterfactualWallet(key.address)
    const account: Account = { address, key, wrap }
    const token = await tokenOf(account)
    const routeId = await plannedRoute(account, token)
    await act.pauseRouter(the.world)
    const { issues } = await routes.prepare(the.app, token, routeId)
    await act.unpauseRouter(the.world)
    expect(issues).toMatchObject([
      { code: 'ACCOUNT_NOT_DEPLOYED' },
      { code: 'EXECUTION_WOULD_REVERT', errorName: 'EnforcedPause' },
    ])
  })
})

describe('an account that was deployed after it signed in', () => {
  it('is prepared without an issue', async () => {
    const key = newAccount()
    const { address, deployment, wrap } = counterfactualWallet(key.address)
    const account: Account = { address, key, wrap }
    const token = await tokenOf(account)
    await send(deployment.to, deployment.data)
    expect((await preparedRoute(account, token)).issues).toEqual([])
  })
})
