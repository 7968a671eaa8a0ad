export { type AmountFormat, formatAmount, parseAmount, type TokenUnit } from './amount.ts'
export type { Gateway } from './calls.ts'
export { leastCostOf, type RouteCertificate } from './certificate.ts'
export { type ConnectedWallet, connectedWallet, type Eip1193Provider, injectedWallet } from './eip1193.ts'
export { type ClientCode, type GatewayCode, GatewayError, type Revert } from './errors.ts'
export type { FollowOptions, Transaction, Until } from './follow.ts'
export { createGateway, type GatewayOptions } from './gateway.ts'
export type { components, operations, paths } from './generated/api.ts'
export { deployments } from './generated/deployments.ts'
export type * from './generated/typed-data.ts'
export {
  type FragmentOf,
  graphql,
  type Input,
  type introspection,
  minBlock,
  type ReadOptions,
  type ResultOf,
  readFragment,
  type TypedDocument,
  type VariablesOf,
} from './graphql.ts'
export type { Live, LiveOptions } from './live.ts'
export type { Plan, PreparedRoute, RunOptions, Signable } from './plan.ts'
export type { InterruptedRoute, Resumed } from './resume.ts'
export {
  type Address,
  type Amount,
  codegenScalars,
  type DateTime,
  type Hash,
  type Integer,
  type Scalars,
} from './scalars.ts'
export type { Session, SessionStorage } from './session.ts'
export type { Deployment } from './verify/deployment.ts'
export { walletOf } from './viem-client.ts'
