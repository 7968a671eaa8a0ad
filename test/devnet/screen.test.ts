/** The last text of a start. */

import { expect, it } from 'vitest'
import type { Endpoints } from '../../devnet/endpoints.ts'
import { paceOf } from '../../devnet/live-chain.ts'
import { screen } from '../../devnet/screen.ts'

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
