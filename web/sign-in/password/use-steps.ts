import { useCallback, useEffect, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import { findAuthType } from '../frame/calls.ts'
import { problemOf } from '../frame/form-problem.tsx'
import { firstStep, type Step } from './sign-in-steps.ts'

interface Steps {
  step: Step
  go: (step: Step) => void
  /** Looks up again how this address signs in. */
  find: () => void
}

/** Finds out how an address signs in, and keeps the step that the person is at. */
export function useSteps(email: string): Steps {
  const [step, go] = useState<Step>({ name: 'finding' })
  const find = useCallback(async () => {
    go({ name: 'finding' })
    try {
      go(await firstStep(await findAuthType(email), document.documentElement.lang as Language))
    } catch (error) {
      go({ name: 'findingFailed', problem: problemOf(error) })
    }
  }, [email])
  useEffect(() => void find(), [find])
  return { step, go, find: () => void find() }
}
