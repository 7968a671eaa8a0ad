export {
  type Executed,
  type ExecuteOptions,
  type NoRoute,
  type Plan,
  type PlanInput,
  type PlannedRoute,
  type RateChange,
  useExecute,
  usePlan,
  useResume,
} from './finance.ts'
export {
  type DepositInput,
  type PreparedDeposit,
  type PreparedTerms,
  type PreparedWithdrawal,
  type TermsInput,
  useDeposit,
  useTerms,
  useWithdraw,
  type WithdrawalInput,
} from './lend.ts'
export {
  type LiveRead,
  useLiveAccount,
  useLiveClaim,
  useLiveExecution,
  useLiveReads,
} from './live.ts'
export { GatewayProvider, useGateway } from './provider.ts'
export { type AccountFigures, accountQuery } from './queries/account.ts'
export { type ClaimRow, type ClaimsInput, claimsQuery } from './queries/claims.ts'
export { documentQuery } from './queries/document.ts'
export type { ExecutionState } from './queries/executions.ts'
export { gatewayKey } from './queries/keys.ts'
export { type Quotes, type QuotesInput, quotesQuery } from './queries/quotes.ts'
export { type TokenRow, tokensQuery } from './queries/tokens.ts'
export { type PendingEvents, type PendingInput, unfinalizedQuery } from './queries/unfinalized.ts'
export {
  type VaultPeriod,
  type VaultRow,
  type VaultSeriesInput,
  type VaultsInput,
  vaultSeriesQuery,
  vaultsQuery,
} from './queries/vaults.ts'
export {
  type QueryOptions,
  useAccount,
  useClaims,
  useQuotes,
  useRead,
  useTokens,
  useTransaction,
  useUnfinalized,
  useVaultSeries,
  useVaults,
} from './reads.ts'
export { type PreparedRegistration, type RegisterInput, useRegister } from './register.ts'
export { type Prepare, type ReviewOptions, useSend } from './review.ts'
export type { Running } from './run.ts'
export { type SignIn, useSession, useSignIn } from './session.ts'
export { type Payment, type PreparedSettlement, useSettle } from './settle.ts'
export { appKitConfig, rainbowKitAdapter } from './sign-in-kits.ts'
export type { Step } from './steps.ts'
