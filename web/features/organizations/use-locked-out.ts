import { useState } from 'react'
import { isCompany } from '#contract/login-methods.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { call } from '#web/lib/requests/api.ts'
import type { Choosable, OrganizationValues } from './organization-draft.ts'

/** What becomes of people whom organisation sign-in would keep out. */
export type LockedOutChoice = 'guests' | 'stay'

export interface LockedOutQuestion {
  count: number
  answer: (choice: LockedOutChoice | 'cancelled') => void
}

/** Asks about people whom a change to organisation sign-in would keep out; the save waits for the answer. */
export function useLockedOut() {
  const [question, setQuestion] = useState<LockedOutQuestion>()
  const ask = async (base: Choosable, { loginMethod, samlConfigId, requireLoginMethod }: OrganizationValues) => {
    const begins =
      !isCompany(base.loginMethod) ||
      base.samlConfigId !== samlConfigId ||
      (requireLoginMethod && !base.requireLoginMethod)
    if (!isCompany(loginMethod) || samlConfigId === null || !begins) return undefined
    const { count } = await call(organizations.lockedOut, {
      params: { id: base.organizationId },
      query: { samlConfigId: String(samlConfigId), requireLoginMethod: requireLoginMethod ? 'true' : 'false' },
    })
    if (count === 0) return undefined
    return new Promise<LockedOutChoice | 'cancelled'>((resolve) =>
      setQuestion({
        count,
        answer: (choice) => {
          setQuestion(undefined)
          resolve(choice)
        },
      }),
    )
  }
  return { ask, question }
}
