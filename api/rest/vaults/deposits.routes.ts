import { z } from '@hono/zod-openapi'
import { hash } from '../../domain/hash.ts'
import { money } from '../../domain/money.ts'
import { time, timeInput } from '../../domain/time.ts'
import { okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { typedData } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { keySignatureInput } from '../shared/signature.ts'
import { exchangeFields, isOne, ofVault, preparedExchange } from './shares.ts'

const permitInput = z
  .strictObject({
    signature: keySignatureInput.openapi({
      description: 'Signature of `permit.typedData` by the key of the wallet, 65 bytes.',
    }),
    deadline: timeInput.openapi({ description: '`permit.deadline` of the answer that was signed.' }),
  })
  .openapi('SignedPermit')

const depositBody = z
  .strictObject({
    ...exchangeFields,
    permit: permitInput.optional().openapi({
      description:
        'The signed permit of an answer to the same request without `permit`. Only with `assets`. It is left out where the allowance suffices without it.',
    }),
  })
  .refine(({ assets, shares }) => isOne(assets, shares), 'must have either assets or shares')
  .refine(({ shares, permit }) => shares === undefined || permit === undefined, {
    path: ['permit'],
    message: 'must be absent from a request of shares, whose price changes',
  })
  .openapi('DepositRequest')

const permit = z
  .object({
    typedData,
    digest: hash.openapi({ description: 'EIP-712 digest that the wallet signs.' }),
    deadline: time.openapi({ description: 'Last second in which the token accepts it.' }),
  })
  .openapi('Permit', {
    description:
      'An allowance of `assets` for the vault (EIP-2612), to sign instead of sending `approvals`. Repeat the request with `permit`, which has the signature and `deadline`; the answer then needs no approvals.',
  })

export const preparedDeposit = preparedExchange
  .extend({
    minShares: orNull(money).openapi({
      description:
        'Least number of shares for `assets`, which the contract enforces; null for a request of shares.',
    }),
    maxAssets: orNull(money).openapi({
      description: 'Most assets for `shares`, which the contract enforces; null for a request of assets.',
    }),
    permit: orNull(permit).openapi({
      description:
        'Null where no approval is needed, for a request of shares, for a wallet that is a contract, and where the token has no permit whose domain it states: `permit` of EIP-2612, `nonces`, and a `DOMAIN_SEPARATOR` that is the hash of `eip712Domain`, or of `name` and `version`, with this chain and token.',
    }),
    exitAssets: money.openapi({
      description:
        'Assets that `shares` would pay if they were redeemed right after the deposit. Less than `assets` by more than rounding while allocations of the vault are overdue; a lower bound if the shares of the vault are worth nothing before.',
    }),
  })
  .openapi('PreparedDeposit')

export const prepareDepositRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/vaults/{vault}/deposits/prepare',
    tags: ['Prepares'],
    operationId: 'prepareDeposit',
    summary: 'Prepare the transaction that deposits in a vault',
    description:
      'The wallet pays `assets`, or as many assets as `shares` cost. The price is that of the latest block, and the transaction has a bound: it reverts if its block has a price that is worse by more than `slippageBps`. Status and limits of the vault are read at `blockNumber`.',
    request: {
      params: ofVault,
      body: { required: true, content: { 'application/json': { schema: depositBody } } },
    },
    responses: {
      ...okJson('The transaction, with the approvals to send before it.', preparedDeposit),
      ...problems(
        'VALIDATION_FAILED',
        'VAULT_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'VAULT_INACTIVE',
        'RECEIVER_INVALID',
        'AMOUNT_TOO_LARGE',
        'AMOUNT_TOO_SMALL',
        'PERMIT_INVALID',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
