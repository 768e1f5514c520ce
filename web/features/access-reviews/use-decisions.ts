import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessReviews, maxDecided } from '#contract/access-reviews/access-reviews.ts'
import { call } from '#web/lib/requests/api.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { type Change, countOf, undone, withChanges } from './decided.ts'
import type { ReviewAnswer } from './use-review.ts'

/** What was decided last, and for whom. */
interface Step {
  changes: readonly Change[]
  /** "Anna Alm: 3 kept". */
  text: string
}

/** Sends decisions, a thousand rows at a time. @returns how many rows were as expected */
async function send(organizationId: string, changes: readonly Change[]): Promise<number> {
  let changed = 0
  for (const { rowIds, from, to: decision } of changes)
    for (let at = 0; at < rowIds.length; at += maxDecided) {
      const input = { rowIds: rowIds.slice(at, at + maxDecided), from, decision }
      changed += (await call(accessReviews.decide, { params: { id: organizationId }, input })).changed
    }
  return changed
}

/** Decides, and takes back what was decided last, step by step. */
export function useDecisions(organizationId: string, queryKey: QueryKey) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const client = useQueryClient()
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [said, setSaid] = useState('')
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (changes: readonly Change[]) => send(organizationId, changes),
  })

  /** @returns for how many it was too late; undefined where it failed: the toast says why */
  const run = async (changes: readonly Change[], { reload }: { reload: boolean }) => {
    try {
      const changed = await mutateAsync(changes)
      const missed = countOf(changes) - changed
      if (missed > 0) toasts.show({ tone: 'danger', title: t('reviewMissed', { count: missed }) })
      if (missed === 0 && !reload)
        client.setQueryData<ReviewAnswer>(queryKey, (known) => known && withChanges(known, changes, me.email))
      await client.invalidateQueries({ refetchType: missed > 0 || reload ? 'active' : 'none' })
      return missed
    } catch {
      return undefined
    }
  }
  /** @returns whether everything, or something, was decided */
  const decide = async (step: Step, options: { reload: boolean }): Promise<'all' | 'some' | undefined> => {
    if (isPending || countOf(step.changes) === 0) return undefined
    const missed = await run(step.changes, options)
    if (missed === undefined) return undefined
    setSteps([...steps, step])
    setSaid(step.text)
    return missed === 0 ? 'all' : 'some'
  }
  const last = steps.at(-1)
  const undo = async () => {
    if (!last || isPending) return
    if ((await run(undone(last.changes), { reload: true })) === undefined) return
    setSteps(steps.slice(0, -1))
    setSaid(t('reviewUndone', { what: last.text }))
  }
  return { decide, undo, last, said, isPending }
}

export type Decisions = ReturnType<typeof useDecisions>
