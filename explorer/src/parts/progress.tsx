/** Where a signed action is, until reads show it. */
import type { Running } from 'claim-financing-react'
import { Failure } from './failure.tsx'
import { Short, When } from './values.tsx'

export function Progress<Input, Result>({ running }: { running: Running<Input, Result> }) {
  const { step, error } = running
  return (
    <div className="progress" aria-live="polite">
      {error ? <Failure error={error} /> : null}
      {step ? <Step step={step} /> : null}
    </div>
  )
}

function Step({ step }: { step: NonNullable<Running<unknown, unknown>['step']> }) {
  switch (step.name) {
    case 'preparing':
      return <p>The gateway prepares it.</p>
    case 'prompt':
      return (
        <p>
          Confirm in your wallet ({step.index + 1} of {step.count}): {step.description}
        </p>
      )
    case 'sent':
      return (
        <p>
          Sent in <Short hex={step.hash} />: {step.status?.toLowerCase() ?? 'waiting for a block'}
          {step.expectedFinalAt ? (
            <>
              , final at <When at={step.expectedFinalAt} />
            </>
          ) : null}
        </p>
      )
    case 'done':
      return <p className="done">Done: finalized, and all figures show it.</p>
  }
}
