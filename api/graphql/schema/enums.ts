import type { claimStates } from '../../domain/claim.ts'
import type { executionStatuses } from '../../domain/execution.ts'
import { builder } from '../builder.ts'

export const ClaimState = builder.enumType('ClaimState', {
  description: 'Life of a claim.',
  values: {
    ELIGIBLE: { description: 'Registered; nothing is financed yet.' },
    PARTIALLY_FUNDED: { description: 'Part of the face is financed; the rest still can be.' },
    FULLY_FUNDED: { description: 'All of the face is financed.' },
    SETTLED: { description: 'Paid at maturity. Final.' },
    REVOKED: { description: 'Withdrawn by its issuer while nothing was financed. Final.' },
  } satisfies Record<(typeof claimStates)[number], object>,
})

export const ExecutionKind = builder.enumType('ExecutionKind', {
  description: 'How an execution came about.',
  values: {
    ROUTE: { description: 'A route that the user signed.' },
    DIRECT: { description: "A direct call of the claim's beneficiary." },
  },
})

export const ExecutionStatus = builder.enumType('ExecutionStatus', {
  description: 'What is known of an execution.',
  values: {
    PREPARED: { description: 'Handed out here to be signed, and not seen on chain.' },
    MINED: {
      description:
        'On chain at the latest block, which is not final or not projected: a reorganisation can still take it back.',
    },
    EXECUTED: { description: 'On chain, final and projected. Final.' },
    SUPERSEDED: {
      description:
        'Prepared, and another execution used its nonce, or its slice of the claim: it can never happen under this id, unless a reorganisation takes the other one back.',
    },
    EXPIRED: { description: 'Prepared, and the chain is past its deadline without it. Final.' },
  } satisfies Record<(typeof executionStatuses)[number], object>,
})

export const CapitalChangeKind = builder.enumType('CapitalChangeKind', {
  description: "What moved a vault's capital.",
  values: {
    DEPOSIT: { description: 'A liquidity provider put assets in.' },
    WITHDRAWAL: { description: 'A liquidity provider took assets out.' },
    FUNDING: { description: 'The vault advanced assets on a claim.' },
    REPAYMENT: { description: 'A settlement repaid the vault at face.' },
  },
})

export const ActivityKind = builder.enumType('ActivityKind', {
  description: 'What happened to a wallet.',
  values: {
    CLAIM_REGISTERED: { description: 'A claim of the wallet was registered; the amount is its face.' },
    CLAIM_REVOKED: { description: 'A claim of the wallet was revoked; the amount is its face.' },
    EXECUTION: { description: 'The wallet was advanced the amount.' },
    SETTLEMENT_PAID: { description: 'The wallet paid the amount to settle a claim.' },
    SETTLEMENT_RECEIVED: { description: 'The wallet received the unfinanced rest of a settled claim.' },
    VAULT_DEPOSIT: { description: 'The wallet deposited the amount in a vault.' },
    VAULT_WITHDRAWAL: { description: 'The wallet withdrew the amount from a vault.' },
  },
})

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of a list.',
  values: {
    asc: { description: 'Smallest or earliest first.' },
    desc: { description: 'Largest or latest first.' },
  },
})
