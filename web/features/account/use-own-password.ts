import { useState } from 'react'

interface Question {
  settle: (password: string | undefined) => void
}

/** The question for the own password, while it is open. */
export function useOwnPassword() {
  const [question, setQuestion] = useState<Question>()
  /** @returns undefined where the person does not want to */
  const ask = () =>
    new Promise<string | undefined>((resolve) =>
      setQuestion({
        settle: (password) => {
          setQuestion(undefined)
          resolve(password)
        },
      }),
    )
  return { question, ask }
}
