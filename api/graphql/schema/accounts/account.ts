import { type CreditRow, creditsOfAccount } from '../../../projection/tables/credit.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { pageCost } from '../../kit/lists.ts'
import { accountOfArgument, refersTo, rowsOf } from '../../kit/reads.ts'
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
  description: 'Credit of an account in one token: an amount that the router holds.',
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
      description: 'The issuer with this address; null if there is none.',
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
        'Credits by token: amounts that the router holds because a settlement could not pay the account. `POST /api/v1/credits/withdrawal/prepare` prepares a withdrawal.',
      ...rowsOf(creditsOfAccount, 'address'),
    }),
    claims: t.connection(
      {
        type: Claim,
        description: 'Claims that the account owns. Default: newest first.',
        args: claimList.args,
        complexity: pageCost,
        ...claimsOfBeneficiary,
      },
      ClaimConnection,
    ),
    executions: t.connection(
      {
        type: Execution,
        description: 'Executions of claims of the account. Default: newest first.',
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
        description: 'Settlements that the account paid. Default: newest first.',
        args: settlementList.args,
        complexity: pageCost,
        ...settlementsOfPayer,
      },
      SettlementConnection,
    ),
    settlementsReceived: t.connection(
      {
        type: Settlement,
        description: 'Settlements of claims of the account. Default: newest first.',
        args: settlementList.args,
        complexity: pageCost,
        ...settlementsOfBeneficiary,
      },
      SettlementConnection,
    ),
    curatedVaults: t.connection(
      {
        type: Vault,
        description:
          'Vaults whose mandate and pricing the account sets. Default: in the order of registration.',
        args: vaultList.args,
        complexity: pageCost,
        ...vaultsOfCurator,
      },
      VaultConnection,
    ),
    positions: t.connection(
      {
        type: VaultPosition,
        description: 'Vault shares of the account, ordered by vault.',
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
    description: 'The account of any address, including one that was never used on chain.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }), ...asOfArgs },
    ...accountOfArgument,
  }),
)
