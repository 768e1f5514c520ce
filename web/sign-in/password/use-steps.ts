import { useCallback, useEffect, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import { type RaisingMethod, raisingMethods } from '#contract/sign-in-methods.ts'
import { returnMark } from '../bankid/bankid-launch.ts'
import { findAuthType } from '../frame/calls.ts'
import { problemOf } from '../frame/form-problem.tsx'
import { firstStep, ownStep, type Step } from './sign-in-steps.ts'

interface Steps {
  step: Step
  go: (step: Step) => void
  /** Looks up again how this address signs in. */
  find: () => void
}

/** A session is raised by this, whatever the account's own method is. */
function findRaising(): RaisingMethod | undefined {
  if (location.hash === returnMark) return 'bankid'
  const wanted = new URLSearchParams(location.search).get('method')
  return raisingMethods.find((method) => method === wanted)
}

/** Finds out how an address signs in, and keeps the step that the person is at. */
export function useSteps(email: string): Steps {
  const [step, go] = useState<Step>({ name: 'finding' })
  const find = useCallback(async () => {
    go({ name: 'finding' })
    try {
      const language = document.documentElement.lang as Language
      const raising = findRaising()
      go(raising ? await ownStep(raising, language) : await firstStep(await findAuthType(email), language))
    } catch (error) {
      go({ name: 'findingFailed', problem: problemOf(error) })
    }
  }, [email])
  useEffect(() => void find(), [find])
  return { step, go, find: () => void find() }
}
