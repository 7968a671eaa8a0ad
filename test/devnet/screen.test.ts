/** The last text of a start. */
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { TokenInfo } from '../../deployments/manifest.ts'
import type { Endpoints } from '../../devnet/endpoints.ts'
import { paceOf } from '../../devnet/live-chain.ts'
import { type NamedAccount, screen } from '../../devnet/screen.ts'
import { listen } from '../support/listener.ts'

const endpoints: Endpoints = {
  gatewayUrl: 'http://127.0.0.1:4000',
  graphqlUrl: 'http://127.0.0.1:4000/api/v1/graphql',
  rpcUrl: 'http://127.0.0.1:8545',
  databaseUrls: { analyst: '', auditor: '', gateway: '', indexer: '' },
  chainId: 31337,
  finalitySeconds: 4,
  accounts: [],
}

it('names the address of the documentation where it is served', async () => {
  const documentationUrl = 'http://127.0.0.1:4001'
  expect(
    await screen({ ...endpoints, documentationUrl }, [], [], {
      secondsToReady: '60',
      pace: paceOf(undefined),
    }),
  ).toContain(`${documentationUrl}/\n`)
  expect(await screen(endpoints, [], [], { secondsToReady: '60', pace: paceOf(undefined) })).not.toContain(
    'documentation',
  )
})

const token = (digit: number, symbol: string, decimals: number): TokenInfo => ({
  address: `0x${`${digit}`.repeat(40)}`,
  name: symbol,
  symbol,
  decimals,
  resetsApproval: false,
})
const tokens = [token(1, 'ONE', 6), token(2, 'TWO', 18), token(3, 'NIL', 6)]
const wallet = (digit: number): NamedAccount => ({
  role: `wallet-${digit}`,
  name: `Wallet ${digit}`,
  address: `0x${`${digit}`.repeat(40)}`,
  privateKey: `0x${`${digit}`.repeat(64)}`,
})
const claim = (state: string, matured: boolean, of: number, remainingFace: string) => ({
  state,
  matured,
  tokenInfo: { address: `0x${`${of}`.repeat(40)}` },
  remainingFace,
})

it('states the claims of each wallet that are open to financing, in each token, and those that are unpaid', async () => {
  const claims = new Map([
    [
      wallet(7).address,
      [
        claim('ELIGIBLE', false, 1, '1234000000'),
        claim('PARTIALLY_FUNDED', false, 1, '1999999'),
        claim('ELIGIBLE', false, 2, '1000000000000000000000000'),
        claim('FULLY_FUNDED', false, 2, '0'),
        claim('ELIGIBLE', true, 1, '5000000'),
        claim('CLOSED', true, 1, '5000000'),
        claim('SETTLED', true, 1, '0'),
        claim('REVOKED', true, 1, '0'),
        claim('REVOKED', false, 1, '7000000'),
      ],
    ],
    [wallet(8).address, [claim('SETTLED', true, 1, '0')]],
  ])
  const asked = z.object({ variables: z.object({ address: z.custom<`0x${string}`>() }) })
  const gateway = await listen(async (request, response) => {
    const { address } = asked.parse(await json(request)).variables
    const nodes = claims.get(address) ?? []
    response.end(JSON.stringify({ data: { account: { claims: { totalCount: 7 * nodes.length, nodes } } } }))
  })
  const text = await screen({ ...endpoints, graphqlUrl: gateway.url }, [wallet(7), wallet(8)], tokens, {
    secondsToReady: '60',
    pace: { blockSeconds: 12, minesAtOnce: false, slotsInAnEpoch: 3 },
  })
  await gateway.stop()
  expect(text).toContain(`wallet-7  Wallet 7
    address  ${wallet(7).address}
    key      ${wallet(7).privateKey}
    owns     63 claims: 3 open to financing (1,235 ONE, 1,000,000 TWO), 2 due and unpaid

  wallet-8  Wallet 8
    address  ${wallet(8).address}
    key      ${wallet(8).privateKey}
    owns     7 claims: 0 open to financing (nothing left), 0 due and unpaid
`)
  expect(text).toContain('a block every 12 s, final 6 blocks later')
})

it('fails where the gateway does not state the claims of a wallet', async () => {
  const gateway = await listen((_, response) => response.writeHead(503).end('{}'))
  const lines = screen({ ...endpoints, graphqlUrl: gateway.url }, [wallet(7)], tokens, {
    secondsToReady: '60',
    pace: paceOf(undefined),
  })
  await expect(lines).rejects.toThrow(`does not say what ${wallet(7).address} owns (503)`)
  await gateway.stop()
})
