import { useCallback, useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, Path, PathValue } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { FieldLabels } from '#contract/message-key.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { type SchemaForm, useSchemaForm } from './form.ts'
import { type Difference, mergeDrafts } from './merge-drafts.ts'

export interface EntityFormOptions<Draft extends FieldValues, Values, Entity extends { version: number }> {
  schema: z.ZodMiniType<Values, Draft>
  labels: FieldLabels<Draft>
  /** As the server has it, from the cache; undefined for something new. */
  entity?: Entity | undefined
  /** Of something new nothing is known. */
  draftOf: (entity: Partial<Entity>) => Draft
  /** Sends the change on top of this state; a stale one fails with `changedByOthers`. */
  save: (values: Values, base: Entity) => Promise<void>
  /** Asks the server for the present state. */
  reload?: () => Promise<Entity>
}

const nothingYet = { version: 0 }

export interface EntityForm<Draft extends FieldValues, Values, Entity = never> extends SchemaForm<Draft, Values> {
  /** What somebody else changed since the draft was begun; told when a save was refused for it. */
  conflict: readonly Difference[] | undefined
  /**
   * Rebases the draft onto a version that this form has made itself, such as half of a save. It reports no conflict.
   *
   * @param saved what was saved, where the form has been reset to it and somebody may be typing again
   */
  rebase: (present: Entity, saved?: Draft) => void
  /**
   * Runs a change that is not part of the draft, and rebases the draft onto the result. A concurrent save waits, because
   * it would conflict with the person's own change. The change reports its own failure.
   */
  beside: (change: () => Promise<void>) => void
  /** Back to what the server has. */
  discard: () => void
  /** Puts one side's value into a field that both have changed. */
  choose: (difference: Difference, side: 'mine' | 'theirs') => void
}

/**
 * The form of something that exists, or is to be created. When someone else saved first, the draft is rebased onto the current version:
 * untouched fields are updated, typed values stay, and the next save is based on the new version.
 */
export function useEntityForm<Draft extends FieldValues, Values, Entity extends { version: number }>(
  options: EntityFormOptions<Draft, Values, Entity>,
): EntityForm<Draft, Values, Entity> {
  const { schema, labels, draftOf, save } = options
  const { entity = nothingYet as Entity, reload = async () => entity } = options
  const [base, setBase] = useState(entity)
  // For callers that waited since the last render.
  const latest = useRef(base)
  const [conflict, setConflict] = useState<readonly Difference[]>()
  const moving = useRef<Promise<void>>(undefined)
  const [waiting, setWaiting] = useState(false)

  const standOn = useCallback((present: Entity) => {
    latest.current = present
    setBase(present)
  }, [])
  const moveOnto = (present: Entity, from = draftOf(latest.current)) => {
    const { changed, kept } = mergeDrafts(from, form.form.getValues(), draftOf(present))
    form.form.reset(draftOf(present))
    for (const { name, value } of kept) put(name, value)
    standOn(present)
    return changed
  }
  const form = useSchemaForm<Draft, Values>({
    schema,
    labels,
    values: draftOf(entity) as DefaultValues<Draft>,
    save: async (values) => {
      try {
        await save(values, latest.current)
        setConflict(undefined)
      } catch (error) {
        if (!(error instanceof ApiProblem && error.message === 'changedByOthers')) throw error
        setConflict(moveOnto(await reload()))
      }
    },
  })
  const put = (name: string, value: unknown) =>
    form.form.setValue(name as Path<Draft>, value as PathValue<Draft, Path<Draft>>, { shouldDirty: true })

  const { dirty, saving } = form
  const { reset } = form.form
  const followed = useRef(entity)
  useEffect(() => {
    // A draft stays on the state that it was made from until it is saved; without one, the form follows the server. Not
    // twice to the same state: after a save the cache may still have the one before.
    if (dirty || saving || entity === followed.current) return
    followed.current = entity
    if (entity.version <= base.version) return
    standOn(entity)
    reset(draftOf(entity))
  }, [entity, base, dirty, saving, standOn, reset, draftOf])

  const beside = (change: () => Promise<void>) => {
    const moved = change()
      .then(reload)
      .then((present) => void moveOnto(present))
      // Without the present state the draft stays where it was, and the next save hears of it.
      .catch(() => undefined)
      .finally(() => {
        if (moving.current === moved) moving.current = undefined
      })
    moving.current = moved
  }
  const submit: typeof form.submit = (event) => {
    event?.preventDefault()
    if (waiting) return
    if (!moving.current) return form.submit()
    setWaiting(true)
    void moving.current.then(() => {
      setWaiting(false)
      form.submit()
    })
  }

  return {
    ...form,
    submit,
    saving: saving || waiting,
    conflict,
    rebase: moveOnto,
    beside,
    discard: () => {
      standOn(entity)
      setConflict(undefined)
      reset(draftOf(entity))
    },
    choose: ({ name, theirs, mine }, side) => put(name, side === 'theirs' || !mine ? theirs : mine.value),
  }
}
