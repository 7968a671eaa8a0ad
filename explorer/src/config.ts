/** Settings of the build of the explorer. */
import type { Deployment } from 'claim-financing-client'

declare const __GATEWAY_URL__: string
declare const __DEPLOYMENT__: Deployment

/** Origin of the gateway: by default, the host of this page. */
export const gatewayUrl = __GATEWAY_URL__ || location.origin

/** Chain and contracts against which the client verifies what a wallet signs. */
export const deployment = __DEPLOYMENT__
