import { useCallback, useEffect, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import { returnMark } from '../bankid/bankid-launch.ts'
import { findAuthType } from '../frame/calls.ts'
import { problemOf } from '../frame/form-problem.tsx'
import { firstStep, type Step } from './sign-in-steps.ts'

interface Steps {
  step: Step
  go: (step: Step) => void
  /** Looks up again how this address signs in. */
  find: () => void
}

const raisedByBankId = { authType: 'bankid', hasPhoneNumber: false } as const

/** Finds out how an address signs in, and keeps the step that the person is at. */
export function useSteps(email: string): Steps {
  const [step, go] = useState<Step>({ name: 'finding' })
  const find = useCallback(async () => {
    go({ name: 'finding' })
    try {
      const wanted = new URLSearchParams(location.search).get('method')
      // A session is raised by BankID, whatever the account's own method is.
      const found = wanted === 'bankid' || location.hash === returnMark ? raisedByBankId : await findAuthType(email)
      go(await firstStep(found, document.documentElement.lang as Language))
    } catch (error) {
      go({ name: 'findingFailed', problem: problemOf(error) })
    }
  }, [email])
  useEffect(() => void find(), [find])
  return { step, go, find: () => void find() }
}
