/** Script of the test's page: a frontend that does nothing but make its gateway. */
import { createGateway, type Eip1193Provider } from '../../packages/client/src/index.ts'

declare const ethereum: Eip1193Provider
declare const location: { search: string }

const options = new URLSearchParams(location.search)
const url = options.get('gateway') ?? ''
const sessions: unknown[] = []
const gateway = createGateway({ url, wallet: ethereum, ...(options.has('cookie') && { cookie: true }) })
gateway.onSession((session) => sessions.push(session?.wallet ?? null))
Object.assign(globalThis, { gateway, sessions })
