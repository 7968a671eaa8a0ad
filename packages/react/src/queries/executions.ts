/** An execution as it changes. */
import { graphql, type ResultOf } from 'claim-financing-client'

export const LIVE_EXECUTION = graphql(`
  subscription LiveExecution($executionId: Hash!) {
    execution(executionId: $executionId) {
      executionId
      status
      deadline
      transactionHash
      tokenInfo { address symbol name decimals }
      totalFace
      totalAdvance
      totalCost
      legs { claim { claimId } vault { address name } faceAmount advanceAmount discountAmount }
    }
  }
`)

export type ExecutionState = ResultOf<typeof LIVE_EXECUTION>['execution']
