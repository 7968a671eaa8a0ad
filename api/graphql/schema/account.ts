import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { ActivityConnection, activityListArgs, activityOfWallet, toActivityList } from './activity.ts'
import { ClaimConnection, claimListArgs, claimsOfBeneficiary, toClaimList } from './claim.ts'
import { ExecutionConnection, executionListArgs, executionsOfUser, toExecutionList } from './execution.ts'
import { PositionConnection, positionListArgs, positionsOfOwner } from './position.ts'
import { Account, Activity, Claim, Execution, Issuer, Settlement, VaultPosition } from './refs.ts'
import {
  SettlementConnection,
  settlementListArgs,
  settlementsOfPayer,
  toSettlementList,
} from './settlement.ts'

Account.implement({
  description: 'A wallet, or any address, and what the protocol knows of it.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Its address.' }),
    issuer: t.field({
      type: Issuer,
      nullable: true,
      description: 'The same address as an issuer of claims; null where it is none.',
      resolve: (account) => account.address,
    }),
    claims: t.connection(
      {
        type: Claim,
        description: 'The claims it owns, newest first unless told otherwise.',
        args: claimListArgs,
        complexity: pageCost,
        resolve: ({ address }, args, { operation }) =>
          claimsOfBeneficiary(operation, address, args, toClaimList(args)),
      },
      ClaimConnection,
    ),
    executions: t.connection(
      {
        type: Execution,
        description: 'Executions of its claims, newest first unless told otherwise.',
        args: executionListArgs,
        complexity: pageCost,
        resolve: ({ address }, args, { operation }) =>
          executionsOfUser(operation, address, args, toExecutionList(args)),
      },
      ExecutionConnection,
    ),
    activity: t.connection(
      {
        type: Activity,
        description: 'What happened to it, newest first unless told otherwise.',
        args: activityListArgs,
        complexity: pageCost,
        resolve: ({ address }, args, { operation }) =>
          activityOfWallet(operation, address, args, toActivityList(args)),
      },
      ActivityConnection,
    ),
    settlementsPaid: t.connection(
      {
        type: Settlement,
        description: 'Settlements it paid, newest first unless told otherwise.',
        args: settlementListArgs,
        complexity: pageCost,
        resolve: ({ address }, args, { operation }) =>
          settlementsOfPayer(operation, address, args, toSettlementList(args)),
      },
      SettlementConnection,
    ),
    positions: t.connection(
      {
        type: VaultPosition,
        description: 'The vault shares it holds, by vault.',
        args: positionListArgs,
        complexity: pageCost,
        resolve: ({ address }, args, { operation }) => positionsOfOwner(operation, address, args),
      },
      PositionConnection,
    ),
  }),
})

builder.queryField('account', (t) =>
  t.field({
    type: Account,
    description: 'The account of any address, whether the chain has seen it or not.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Its address.' }) },
    resolve: (_, { address }) => ({ address }),
  }),
)
