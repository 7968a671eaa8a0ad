/** A database that answers reads and refuses writes: a standby after a failover, or one that its operator protects. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGateway } from '../support/gateway.ts'
import { wellKnownParties } from '../support/parties.ts'
import { postVerify, signInMessage } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

let store: Awaited<ReturnType<typeof createTestStore>>
beforeAll(async () => {
  store = await createTestStore()
})
afterAll(() => store?.stop())

it('makes a sign-in a 503 with Retry-After, and leaves its nonce unused', async () => {
  const app = createGateway(store)
  const { address, key } = wellKnownParties().stranger
  const message = await signInMessage(app, address)
  const verify = async () => postVerify(app, { message, signature: await key.signMessage({ message }) })
  const setReadOnly = (value: 'on' | 'off') =>
    // Set on each connection, since the setting of a server applies to each, too.
    Promise.all(
      Array.from({ length: 10 }, () => store.pool.query(`set default_transaction_read_only = ${value}`)),
    )
  await setReadOnly('on')
  const refused = await verify()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('Retry-After')).toBe('2')
  expect(await refused.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await setReadOnly('off')
  expect((await verify()).status).toBe(200)
})
