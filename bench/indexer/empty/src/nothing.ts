/** Handlers for the indexer's events that do nothing, to measure the cost of Ponder itself. */
import { type EventNames, ponder } from 'ponder:registry'

const EVENTS = [
  'IssuerRegistry:IssuerStatusChanged',
  'ClaimRegistry:ClaimRegistered',
  'ClaimRegistry:ClaimStateChanged',
  'ClaimRegistry:SliceReserved',
  'ClaimRegistry:AllocationRegistered',
  'VaultRegistry:VaultRegistered',
  'VaultRegistry:VaultStatusChanged',
  'FinancingVault:TermsSubmitted',
  'FinancingVault:TermsRevoked',
  'FinancingVault:MandateChanged',
  'FinancingVault:PricingChanged',
  'FinancingVault:OwnershipTransferred',
  'FinancingVault:Transfer',
  'FinancingVault:Deposit',
  'FinancingVault:Withdraw',
  'FinancingVault:Funded',
  'FinancingVault:Repaid',
  'FinancingRouter:Executed',
  'FinancingRouter:LegExecuted',
  'FinancingRouter:ClaimPaid',
  'FinancingRouter:Paused',
  'FinancingRouter:Unpaused',
] as const satisfies readonly EventNames[]

for (const event of EVENTS) ponder.on(event, async () => {})
