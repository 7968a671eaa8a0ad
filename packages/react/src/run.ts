'use client'
/** A mutation of several steps. When it ends, all reads are repeated. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Gateway } from 'claim-financing-client'
import { useEffect, useState } from 'react'
import { useConnection } from './provider.ts'
import { repeatReads } from './queries/keys.ts'
import type { Step } from './steps.ts'

export type Run<Input, Result> = (
  gateway: Gateway,
  input: Input,
  report: (step: Step) => void,
) => Promise<Result>

/** A mutation as `useMutation` of TanStack Query returns it, with the step that it has reached. */
export type Running<Input, Result> = UseMutationResult<Result, Error, Input> & { step: Step | undefined }

/** Outcome and step are those of the signed-in wallet: after a switch, nothing is left of the former one. */
export function useRun<Input, Result>(run: Run<Input, Result>): Running<Input, Result> {
  const { gateway, session } = useConnection()
  const cache = useQueryClient()
  const [step, report] = useState<Step>()
  const mutation = useMutation({
    mutationFn: (input: Input) => run(gateway, input, report),
    onSuccess: () => report({ name: 'done' }),
    onError: () => report(undefined),
    onSettled: () => repeatReads(cache, gateway),
  })
  const { reset } = mutation
  useReset(session?.wallet, () => {
    reset()
    report(undefined)
  })
  return { ...mutation, step }
}

/** Calls `reset` when another wallet is signed in. */
export function useReset(wallet: string | undefined, reset: () => void): void {
  const [owner, setOwner] = useState(wallet)
  useEffect(() => {
    if (wallet === undefined || wallet === owner) return
    setOwner(wallet)
    if (owner !== undefined) reset()
  })
}
