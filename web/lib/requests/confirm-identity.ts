import { useSyncExternalStore } from 'react'

/**
 * `factor`: for a new factor, which a password alone never gives; `passkey`: nor a code by mail, after a proven phone. `number`: as
 * `factor` for an own number, which may wait.
 */
export type ProofFor = 'factor' | 'passkey' | 'number' | undefined

interface Question {
  wanted: ProofFor
  answer: Promise<boolean>
  /** With false the person does not want to. */
  settle: (confirmed: boolean) => void
}

let question: Question | undefined
const listeners = new Set<() => void>()

function set(next: Question | undefined): void {
  question = next
  for (const listener of listeners) listener()
}

/**
 * Asks the person to prove once more who they are, in one dialog over whatever is open. Calls that are refused at the same
 * time wait for the same answer.
 */
export function confirmIdentity(wanted?: ProofFor): Promise<boolean> {
  if (question) return question.answer
  let resolve: (confirmed: boolean) => void
  const answer = new Promise<boolean>((done) => {
    resolve = done
  })
  set({
    wanted,
    answer,
    settle: (confirmed) => {
      set(undefined)
      resolve(confirmed)
    },
  })
  return answer
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** For the dialog: what is asked at the moment. */
export const useIdentityQuestion = (): Question | undefined => useSyncExternalStore(subscribe, () => question)
