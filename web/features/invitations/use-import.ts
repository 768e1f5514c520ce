import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkInvitations, type ImportedRow, type PastedRow } from '#contract/bulk-invitations.ts'
import { call } from '#web/lib/api.ts'
import { type ListedPerson, type ListProblem, type PeopleList, readPeople } from './read-people.ts'

/** What becomes of somebody in the list, or became. */
export interface ImportResultRow {
  person: ListedPerson
  outcome: ImportedRow['outcome']
  issues: NonNullable<ImportedRow['issues']>
}

export interface ImportResult {
  /** The list that it is about; what was typed since then is not in it. */
  text: string
  /** False: nothing has been written, this is what would be. */
  done: boolean
  rows: readonly ImportResultRow[]
  ignored: readonly string[]
}

type Step = 'dryRun' | 'run'

/** A list of people on its way into an organisation: typed, looked at without any effect, and then carried out. */
export function useImport(organizationId: string) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<ListProblem>()
  const [result, setResult] = useState<ImportResult>()
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: ({ step, rows }: { step: Step; rows: PastedRow[] }) =>
      call(bulkInvitations[step], { input: { organizationId, rows } }),
    meta: { inline: true },
  })

  const send = async (step: Step): Promise<boolean> => {
    if (isPending) return false
    const list = readPeople(text)
    setProblem('message' in list ? list : undefined)
    if ('message' in list) return false
    try {
      // Whoever has more cells than there are columns is somebody else's row, perhaps: that is not sent.
      const sent = list.people.filter(({ overlong }) => !overlong)
      const rows = sent.map(({ row }) => row)
      const answer = sent.length > 0 ? (await mutateAsync({ step, rows })).rows : []
      const found = resultOf(list, sent, answer)
      const left = step === 'run' ? toCorrect(text, list, found) : text
      setText(left)
      setResult({ text: left, done: step === 'run', rows: found, ignored: list.ignored })
      if (step === 'run') void client.invalidateQueries()
      return true
    } catch {
      // `error` says so on the page.
      return false
    }
  }
  return {
    text,
    write: (next: string) => {
      setText(next)
      setProblem(undefined)
    },
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

/** What of the text is still to be put right: those rows as they were typed, below the names of the columns. */
function toCorrect(text: string, { head }: PeopleList, rows: readonly ImportResultRow[]): string {
  const left = rows.filter(({ outcome }) => outcome === 'invalid' || outcome === 'noSeatsLeft')
  return left.length === 0 ? '' : head + left.map(({ person: { start, end } }) => text.slice(start, end)).join('\n')
}
