import type * as activity from '../../../domain/activity.ts'
import type * as claim from '../../../domain/claim.ts'
import type * as execution from '../../../domain/execution.ts'
import type { Row } from '../../../projection/sql/source.ts'
import { builder } from '../../kit/builder.ts'

export const ClaimState = builder.enumType('ClaimState', {
  description: 'State of a claim.',
  values: {
    ELIGIBLE: { description: 'The claim is registered and not financed.' },
    PARTIALLY_FUNDED: { description: 'Part of the face is financed; the rest can still be financed.' },
    FULLY_FUNDED: { description: 'The whole face is financed.' },
    SETTLED: { description: 'The claim was paid. This state is final.' },
    REVOKED: {
      description: 'The issuer revoked the claim before any vault financed it. This state is final.',
    },
    CLOSED: {
      description:
        'The issuer revoked the claim when part of its face was financed. The rest cannot be financed; the whole face is owed.',
    },
  } satisfies Record<claim.ClaimState, object>,
})

export const ExecutionKind = builder.enumType('ExecutionKind', {
  description: 'Kind of execution.',
  values: {
    ROUTE: { description: 'A route that the user signed.' },
    DIRECT: { description: "A direct call of the claim's beneficiary." },
  } satisfies Record<execution.ExecutionKind, object>,
})

export const ExecutionStatus = builder.enumType('ExecutionStatus', {
  description: 'Status of an execution.',
  values: {
    PREPARED: { description: 'The gateway prepared the execution; it is not on chain.' },
    MINED: {
      description:
        'The execution is on chain, and not yet final or projected. A reorganization can still revert it.',
    },
    EXECUTED: { description: 'The execution is on chain, final and projected. This status is final.' },
    SUPERSEDED: {
      description:
        'The gateway prepared the execution, and another one used its nonce or its slice of the claim. It cannot be executed under this id unless a reorganization reverts the other one.',
    },
    CANCELLED: {
      description:
        'The user cancelled the prepared execution: the cancellation used its nonce. It cannot be executed unless a reorganization reverts the cancellation.',
    },
    EXPIRED: {
      description: 'The execution was prepared and not executed by its deadline. This status is final.',
    },
  } satisfies Record<execution.ExecutionStatus, object>,
})

export const CapitalChangeKind = builder.enumType('CapitalChangeKind', {
  description: "Kind of change of a vault's capital.",
  values: {
    DEPOSIT: { description: 'A liquidity provider deposited assets.' },
    WITHDRAWAL: { description: 'A liquidity provider withdrew assets.' },
    FUNDING: { description: 'The vault advanced assets on a claim.' },
    REPAYMENT: { description: 'A settlement repaid the vault at face.' },
  },
})

export const PositionChangeKind = builder.enumType('PositionChangeKind', {
  description: 'Kind of change of a position in a vault.',
  values: {
    DEPOSIT: { description: 'Assets were deposited for the wallet.' },
    WITHDRAWAL: { description: 'Assets were withdrawn from the position.' },
    SENT: { description: 'The wallet transferred shares to another wallet.' },
    RECEIVED: { description: 'Another wallet transferred shares to this one.' },
  } satisfies Record<Row<'positionChange'>['kind'], object>,
})

export const ActivityKind = builder.enumType('ActivityKind', {
  description: 'Kind of event of a wallet.',
  values: {
    CLAIM_REGISTERED: { description: 'A claim of the wallet was registered; the amount is its face.' },
    CLAIM_REVOKED: {
      description:
        'The issuer revoked a claim of the wallet; the amount is the face that cannot be financed any more.',
    },
    EXECUTION: { description: 'The wallet received the amount as an advance.' },
    SETTLEMENT_PAID: { description: 'The wallet paid the amount of a claim, whole or in part.' },
    SETTLEMENT_RECEIVED: {
      description:
        'The wallet received its part of a payment of its claim: that of the face that is not financed. It can be 0.',
    },
    VAULT_DEPOSIT: { description: 'The wallet deposited the amount in a vault.' },
    VAULT_WITHDRAWAL: { description: 'The wallet withdrew the amount from a vault.' },
    CREDITED: {
      description: 'A settlement could not pay the wallet; the router holds the amount as a credit.',
    },
    CREDIT_WITHDRAWN: { description: 'The router paid the amount that it held for the wallet.' },
  } satisfies Record<activity.ActivityKind, object>,
})
