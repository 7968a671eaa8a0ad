'use client'
/** A mutation of several steps. When it ends, whatever it changed is read again. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Gateway } from 'claim-financing-client'
import { useState } from 'react'
import { useGateway } from './provider.ts'
import { repeatReads } from './queries/keys.ts'
import type { Step } from './steps.ts'

export type Run<Input, Result> = (
  gateway: Gateway,
  input: Input,
  report: (step: Step) => void,
) => Promise<Result>

export function useRun<Input, Result>(run: Run<Input, Result>) {
  const gateway = useGateway()
  const cache = useQueryClient()
  const [step, report] = useState<Step>()
  const mutation = useMutation({
    mutationFn: (input: Input) => run(gateway, input, report),
    onSuccess: () => report({ name: 'done' }),
    onError: () => report(undefined),
    onSettled: () => repeatReads(cache, gateway),
  })
  return { ...mutation, step }
}
