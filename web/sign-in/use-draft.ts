import { type SubmitEvent, useState } from 'react'
import { CallFailed } from './calls.ts'
import { type FormProblemState, problemOf } from './form-problem.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import { useLeaving } from './use-leaving.ts'

/** Keys of what is wrong, by field. */
export type Problems<Field extends string> = Partial<Record<Field, string>>

interface DraftOptions<Field extends string> {
  /** The fields in their order. */
  fields: readonly NoInfer<Field>[]
  labels: Record<Field, string>
  /** What stands in the fields at first. */
  values: Record<Field, string>
  problemsIn: (draft: Record<Field, string>) => Problems<Field>
  send: (draft: Record<Field, string>) => Promise<void>
  /** The field of a message that comes without one. */
  fieldOf?: Record<string, Field>
  /** The link was used or replaced while somebody filled in the form. */
  onInvalid: () => void
}

/** A form behind a mailed link: what was typed, and what is wrong with it here and on the server. */
export function useDraft<Field extends string>(options: DraftOptions<Field>) {
  const { fields, labels, problemsIn, send, fieldOf, onInvalid } = options
  const { t, messageText } = usePublicPage()
  const [draft, setDraft] = useState(options.values)
  const [problems, setProblems] = useState<Problems<Field>>({})
  const [refusals, setRefusals] = useState(0)
  const [problem, setProblem] = useState<FormProblemState>()
  const { leaving, leave, stay } = useLeaving()
  const errors = fields.flatMap((id) =>
    problems[id]
      ? [{ id, message: t('fieldAndProblem', { field: labels[id], problem: messageText(problems[id]) }) }]
      : [],
  )
  useWindowTitle(errors.length > 0 || problem !== undefined)

  const refuse = (found: Problems<Field>) => {
    setProblems(found)
    setRefusals((count) => count + 1)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(undefined)
    const found = problemsIn(draft)
    if (Object.keys(found).length > 0) return refuse(found)
    setProblems({})
    if (!leave()) return
    try {
      await send(draft)
    } catch (error) {
      if (error instanceof CallFailed && ['invitationInvalid', 'resetLinkInvalid'].includes(error.message))
        return onInvalid()
      const answered = problemsFrom(error, fields, fieldOf)
      if (answered) refuse(answered)
      else setProblem(problemOf(error))
    }
    stay()
  }
  const field = (name: Field) => ({
    name,
    label: labels[name],
    value: draft[name],
    error: problems[name] && messageText(problems[name]),
    change: (value: string) => {
      const next = { ...draft, [name]: value }
      setDraft(next)
      setProblem(undefined)
      // What was wrong is looked at again with every key; what is new waits for the button.
      const now = problemsIn(next)
      const still = fields.filter((id) => problems[id] !== undefined && now[id] !== undefined)
      setProblems(Object.fromEntries(still.map((id) => [id, now[id]])) as Problems<Field>)
    },
  })
  return {
    submit: (event: SubmitEvent<HTMLFormElement>) => void submit(event),
    sending: leaving,
    errors,
    refusals,
    problem,
    field,
  }
}

/** What the server found, where it belongs to fields of the form; undefined where it belongs to none. */
function problemsFrom<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  fieldOf: Record<string, Field> = {},
): Problems<Field> | undefined {
  if (!(error instanceof CallFailed)) return undefined
  const { message, issues } = error
  const place = fieldOf[message]
  const all = place ? [{ path: place, message }] : issues
  const known = all.filter(({ path }) => fields.some((field) => field === path))
  if (known.length === 0 || known.length < all.length) return undefined
  return Object.fromEntries(known.map((issue) => [issue.path, issue.message])) as Problems<Field>
}
