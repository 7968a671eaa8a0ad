import { type CreditRow, creditsOfAccount } from '../../../projection/tables/credit.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { builder } from '../../kit/builder.ts'
import { pageCost } from '../../kit/pagination.ts'
import { accountOf, refersTo, rowsOf } from '../../kit/reads.ts'
import { ClaimConnection, claimList, claimsOfBeneficiary } from '../claims/claim.ts'
import {
  SettlementConnection,
  settlementList,
  settlementsOfBeneficiary,
  settlementsOfPayer,
} from '../claims/settlement.ts'
import { ExecutionConnection, executionList, executionsOfUser } from '../executions/execution.ts'
import {
  Account,
  Activity,
  Claim,
  Execution,
  Issuer,
  Settlement,
  Vault,
  VaultPosition,
} from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { PositionConnection, positionList, positionsOfOwner } from '../vaults/position.ts'
import { VaultConnection, vaultList, vaultsOfCurator } from '../vaults/vault.ts'
import { ActivityConnection, activityList, activityOfWallet } from './activity.ts'
import { BALANCES_COST, balancesOfAccount, TokenBalanceType } from './balance.ts'

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
        'Balances of all tokens of the deployment, read from the chain at the finalized block of this answer. While the chain does not answer, the operation fails with `CHAIN_UNAVAILABLE`.',
      complexity: { field: BALANCES_COST, multiplier: 3 },
      ...balancesOfAccount,
    }),
    credits: t.field({
      type: [Credit],
      description:
        'What the router holds for the account because a settlement could not pay it, by token. `POST /api/v1/credits/withdrawal/prepare` prepares a withdrawal.',
      ...rowsOf(creditsOfAccount, 'address'),
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
