import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkInvitations, type ImportedRow, type PastedRow } from '#contract/invitations/bulk-invitations.ts'
import type { Language } from '#contract/roles.ts'
import { call } from '#web/lib/requests/api.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { type ListedPerson, type ListProblem, type PeopleList, readPeople } from './read-people.ts'

/** The planned or actual outcome of a row. */
export interface ImportResultRow {
  person: ListedPerson
  outcome: ImportedRow['outcome']
  issues: NonNullable<ImportedRow['issues']>
}

export interface ImportResult {
  /** The list as it was sent; later edits are not included. */
  text: string
  /** False for a dry run. */
  done: boolean
  rows: readonly ImportResultRow[]
  ignored: readonly string[]
  leftOut: readonly string[]
}

type Step = 'dryRun' | 'run'

/** The import of a list: edit, check with a dry run, then send. */
export function useImport(organizationId: string) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [guest, setGuest] = useState(false)
  const [language, setLanguage] = useState<Language>(useLanguage())
  const [problem, setProblem] = useState<ListProblem>()
  const [result, setResult] = useState<ImportResult>()
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: ({ step, rows }: { step: Step; rows: PastedRow[] }) =>
      call(bulkInvitations[step], { input: { organizationId, rows, guest, language } }),
    meta: { inline: true },
  })

  const send = async (step: Step): Promise<boolean> => {
    if (isPending) return false
    const list = readPeople(text)
    setProblem('message' in list ? list : undefined)
    if ('message' in list) return false
    try {
      // A row with too many cells may mix up two users, so it is not sent.
      const sent = list.people.filter(({ overlong }) => !overlong)
      const rows = sent.map(({ row }) => row)
      const answer = sent.length > 0 ? (await mutateAsync({ step, rows })).rows : []
      const found = resultOf(list, sent, answer)
      const left = step === 'run' ? toCorrect(text, list, found) : text
      setText(left)
      setResult({ text: left, done: step === 'run', rows: found, ignored: list.ignored, leftOut: list.leftOut })
      if (step === 'run') void client.invalidateQueries()
      return true
    } catch {
      // The page shows `error`.
      return false
    }
  }
  return {
    text,
    write: (next: string) => {
      setText(next)
      setProblem(undefined)
    },
    guest,
    setGuest,
    language,
    setLanguage,
    problem,
    result,
    check: () => send('dryRun'),
    carryOut: () => send('run'),
    sending: isPending,
    error,
    forgetError: reset,
  }
}

function resultOf(list: PeopleList, sent: readonly ListedPerson[], answer: readonly ImportedRow[]): ImportResultRow[] {
  const answers = new Map(sent.map((person, index) => [person, answer[index]]))
  return list.people.map((person) => {
    const row = answers.get(person)
    return { person, outcome: row?.outcome ?? 'invalid', issues: row?.issues ?? [] }
  })
}

/** The header and the rejected rows, unchanged, for the user to correct. */
function toCorrect(text: string, { head }: PeopleList, rows: readonly ImportResultRow[]): string {
  const left = rows.filter(({ outcome }) => outcome === 'invalid' || outcome === 'noSeatsLeft')
  return left.length === 0 ? '' : head + left.map(({ person: { start, end } }) => text.slice(start, end)).join('\n')
}
