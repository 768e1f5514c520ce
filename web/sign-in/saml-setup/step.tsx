import { type ReactNode, useId, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import type { OpenSetup } from '#contract/saml-setups/saml-setups.ts'
import type { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { failureText, useTexts } from '#web/lib/texts/texts.ts'
import { problemOf } from '../frame/form-problem.tsx'
import type { SetupTextKey } from '../frame/setup-text-keys.ts'
import { useSubmission } from '../frame/use-submission.ts'
import styles from './setup.module.css'

export interface StepProps {
  setup: OpenSetup
  token: string
  say: (key: SetupTextKey, values?: Readonly<Record<string, string>>) => string
  /** The text for a key that came over the wire. */
  textOf: (key: string, detail?: string) => string
  language: Language
  onChanged: (setup: OpenSetup) => void
  onInvalid: () => void
}

/** A numbered part of the page. */
export function Step({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.step} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Sends one thing at a time. @returns the sender, and what went wrong in words */
export function useSending({ textOf, onInvalid }: Pick<StepProps, 'textOf' | 'onInvalid'>) {
  const texts = useTexts()
  const [problem, setProblem] = useState<ApiProblem>()
  const { submitting, begin, end } = useSubmission()
  const send = async <Answer,>(ask: () => Promise<Answer>, done: (answer: Answer) => void) => {
    if (!begin()) return
    setProblem(undefined)
    try {
      done(await ask())
    } catch (error) {
      const refused = problemOf(error)
      if (refused.message === 'setupLinkInvalid') return onInvalid()
      setProblem(refused)
    }
    end()
  }
  const said = problem && failureText(problem, { ...texts, messageText: textOf })
  const ofFields = problem?.issues.map(({ message, detail }) => textOf(message, detail)).join(' ')
  return { send, sending: submitting, problem: ofFields || said, forget: () => setProblem(undefined) }
}
