export { accountQuery, useAccount } from './account.ts'
export { type ClaimRow, type ClaimsInput, claimsQuery, useClaims } from './claims.ts'
export { type Financed, type FinanceInput, type NoRoute, useFinance, useResume } from './finance.ts'
export { gatewayKey } from './keys.ts'
export { GatewayProvider, useGateway } from './provider.ts'
export { type QuotesInput, quotesQuery, useQuotes } from './quotes.ts'
export { useSession, useSignIn } from './session.ts'
export { useSettle } from './settle.ts'
export { appKitConfig, rainbowKitAdapter } from './sign-in-kits.ts'
export type { Step } from './steps.ts'
export { type TokenRow, useTokens } from './tokens.ts'
export { useTransaction } from './transaction.ts'
export {
  useVaultSeries,
  useVaults,
  type VaultRow,
  type VaultSeriesInput,
  type VaultsInput,
  vaultSeriesQuery,
  vaultsQuery,
} from './vaults.ts'
