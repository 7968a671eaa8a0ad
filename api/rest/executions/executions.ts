import type { z } from '@hono/zod-openapi'
import type { Address, Hex } from 'viem'
import { CodedError } from '../../errors.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { TOKEN_INFO } from '../shared/token-info.ts'
import { type execution, getExecution, type preparedExecution } from './executions.routes.ts'

type OnChain = Omit<z.output<typeof execution>, 'finalizedThrough'>
type Prepared = Omit<z.output<typeof preparedExecution>, 'finalizedThrough'>

type SelectedLeg = Omit<OnChain['legs'][number], 'claimId' | 'vault' | 'vaultName'> & {
  readonly claim: { readonly claimId: Hex }
  readonly vault: { readonly address: Address; readonly name: string }
}

type User = { readonly user: { readonly address: Address } }

type SelectedOnChain = User &
  Omit<OnChain, 'user' | 'token' | 'tokenInfo' | 'legs'> & {
    readonly tokenInfo: NonNullable<OnChain['tokenInfo']>
    readonly legs: readonly SelectedLeg[]
  }
type SelectedPrepared = User & Omit<Prepared, 'user'>
type Selected = SelectedOnChain | SelectedPrepared

const readExecution = createDocumentReader<{ execution: Selected | null }>(`query ($id: Hash!) {
  execution(executionId: $id) {
    executionId status kind user { address } preparedAt deadline submitter ${TOKEN_INFO}
    legs {
      legIndex claim { claimId } vault { address name } sliceIndex faceAmount advanceAmount discountAmount effectiveDiscountBps
    }
    totalFace totalAdvance totalCost effectiveDiscountBps executedAt blockNumber transactionHash
  }
}`)

export function executions(deps: ReadDeps) {
  return createRouter().openapi(getExecution, (c) => {
    const { executionId } = c.req.valid('param')
    return answerRead(
      c,
      deps,
      (reader) => readExecution(reader, { id: executionId }),
      ({ execution }, through) => {
        if (!execution) throw executionNotFound(executionId, through)
        return present(execution)
      },
    )
  })
}

function present(execution: Selected): OnChain | Prepared {
  if (isOnChain(execution)) return presentOnChain(execution)
  const { executionId, status, user, preparedAt, deadline } = execution
  return { executionId, status, user: user.address, preparedAt, deadline }
}

function isOnChain(execution: Selected): execution is SelectedOnChain {
  return execution.status === 'EXECUTED' || execution.status === 'MINED'
}

function presentOnChain(execution: SelectedOnChain): OnChain {
  const { executionId, status, kind, user, submitter, tokenInfo, legs, totalFace, totalAdvance } = execution
  const { totalCost, effectiveDiscountBps, executedAt, blockNumber, transactionHash } = execution
  return {
    status,
    executionId,
    kind,
    user: user.address,
    submitter,
    token: tokenInfo.address,
    legs: legs.map(presentLeg),
    totalFace,
    totalAdvance,
    totalCost,
    effectiveDiscountBps,
    executedAt,
    blockNumber,
    transactionHash,
    tokenInfo,
  }
}

function presentLeg({ claim, vault, ...own }: SelectedLeg): OnChain['legs'][number] {
  return { ...own, claimId: claim.claimId, vault: vault.address, vaultName: vault.name }
}

function executionNotFound(executionId: Hex, { blockNumber }: FinalizedThrough): CodedError {
  return new CodedError(
    'EXECUTION_NOT_FOUND',
    `No execution ${executionId} was prepared for this wallet, and none is on chain.`,
    { facts: { executionId, blockNumber: Number(blockNumber) } },
  )
}
