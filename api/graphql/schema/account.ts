import { type CreditRow, readCreditsOfAccounts } from '../../projection/credit.ts'
import { issuers } from '../../projection/issuer.ts'
import { builder } from '../builder.ts'
import { batched } from '../context.ts'
import { pageCost } from '../pagination.ts'
import { accountOf, refersTo } from '../reads.ts'
import { ActivityConnection, activityList, activityOfWallet } from './activity.ts'
import { BALANCES_COST, balancesOf, TokenBalanceType } from './balance.ts'
import { ClaimConnection, claimList, claimsOfBeneficiary } from './claim.ts'
import { ExecutionConnection, executionList, executionsOfUser } from './execution.ts'
import { PositionConnection, positionList, positionsOfOwner } from './position.ts'
import { Account, Activity, Claim, Execution, Issuer, Settlement, Vault, VaultPosition } from './refs.ts'
import {
  SettlementConnection,
  settlementList,
  settlementsOfBeneficiary,
  settlementsOfPayer,
} from './settlement.ts'
import { tokenInfo } from './token-info.ts'
import { VaultConnection, vaultList, vaultsOfCurator } from './vault.ts'

const creditsOfAccount = batched((snapshot, accounts) => readCreditsOfAccounts(snapshot, accounts))

const Credit = builder.objectRef<CreditRow>('Credit').implement({
  description: 'What the router holds for an account in one token.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo('The token.')),
    amount: t.expose('amount', { type: 'AmountSum', description: 'Amount, base units.' }),
  }),
})

Account.implement({
  description: 'An address and its claims, vault shares, executions and settlements.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address.' }),
    issuer: t.field({
      type: Issuer,
      nullable: true,
      description: 'The issuer with this address; null where there is none.',
      ...refersTo('address', issuers),
    }),
    balances: t.field({
      type: [TokenBalanceType],
      nullable: true,
      description:
        'Balances of all tokens of the deployment, read from the chain at the finalized block of this answer. Null with the error `CHAIN_UNAVAILABLE` while the chain does not answer; the other fields are answered.',
      complexity: { field: BALANCES_COST, multiplier: 3 },
      resolve: ({ address }, _, context) => balancesOf(context, address),
    }),
    credits: t.field({
      type: [Credit],
      description:
        'What the router holds for the account because a settlement could not pay it, by token. `POST /api/v1/credits/withdrawal/prepare` prepares a withdrawal.',
      resolve: ({ address }, _, { operation }) => creditsOfAccount(operation, address, null),
    }),
    claims: t.connection(
      {
        type: Claim,
        description: 'The claims it owns. Default: newest first.',
        args: claimList.args,
        complexity: pageCost,
        ...claimsOfBeneficiary,
      },
      ClaimConnection,
    ),
    executions: t.connection(
      {
        type: Execution,
        description: 'Executions of its claims. Default: newest first.',
        args: executionList.args,
        complexity: pageCost,
        ...executionsOfUser,
      },
      ExecutionConnection,
    ),
    activity: t.connection(
      {
        type: Activity,
        description: 'Events of the account. Default: newest first.',
        args: activityList.args,
        complexity: pageCost,
        ...activityOfWallet,
      },
      ActivityConnection,
    ),
    settlementsPaid: t.connection(
      {
        type: Settlement,
        description: 'Settlements it paid. Default: newest first.',
        args: settlementList.args,
        complexity: pageCost,
        ...settlementsOfPayer,
      },
      SettlementConnection,
    ),
    settlementsReceived: t.connection(
      {
        type: Settlement,
        description: 'Settlements of its claims. Default: newest first.',
        args: settlementList.args,
        complexity: pageCost,
        ...settlementsOfBeneficiary,
      },
      SettlementConnection,
    ),
    curatedVaults: t.connection(
      {
        type: Vault,
        description: 'The vaults whose mandate and pricing it sets. Default: in the order of registration.',
        args: vaultList.args,
        complexity: pageCost,
        ...vaultsOfCurator,
      },
      VaultConnection,
    ),
    positions: t.connection(
      {
        type: VaultPosition,
        description: 'Its vault shares, ordered by vault.',
        args: positionList.args,
        complexity: pageCost,
        ...positionsOfOwner,
      },
      PositionConnection,
    ),
  }),
})

builder.queryField('account', (t) =>
  t.field({
    type: Account,
    description: 'The account of any address, also of one that was never used on chain.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }) },
    ...accountOf('address'),
  }),
)
