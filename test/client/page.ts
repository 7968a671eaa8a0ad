/** Script of the test's page: a frontend that does nothing but make its gateway. */
import { createGateway, type Eip1193Provider, type SessionStorage } from '../../packages/client/src/index.ts'

declare const ethereum: Eip1193Provider
declare const location: { search: string }
declare const localStorage: SessionStorage

const options = new URLSearchParams(location.search)
const url = options.get('gateway') ?? ''
const sessions: unknown[] = []
const gateway = createGateway({
  url,
  wallet: ethereum,
  ...(options.has('cookie') && { cookie: true }),
  ...(options.has('shared') && { storage: localStorage }),
})
gateway.onSession((session) => sessions.push(session?.wallet ?? null))
Object.assign(globalThis, { gateway, sessions })
