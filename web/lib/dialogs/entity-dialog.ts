import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type EntityFormOptions, useEntityForm } from '#web/lib/forms/entity-form.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'
import type { CloseDialog } from './dialog-route.ts'

interface EntityDialogOptions<Draft extends FieldValues, Values, Entity extends { version: number }>
  extends Omit<EntityFormOptions<Draft, Values, Entity>, 'save'> {
  /** Sends the draft. `false` says that nothing was saved, because the person thought better of it. */
  save: (values: Values, base: Entity) => Promise<unknown>
  /** How the toast calls what was saved. */
  nameOf: (values: Values) => string
  onClose: CloseDialog
}

/**
 * A dialog that creates something, or changes the `entity` that it is given: `<FormDialog {...useEntityDialog({…})}>`.
 * After a save it says so and closes.
 */
export function useEntityDialog<Draft extends FieldValues, Values, Entity extends { version: number }>(
  options: EntityDialogOptions<Draft, Values, Entity>,
) {
  const { t } = useTranslation()
  const { save, nameOf, onClose, ...rest } = options
  const isNew = !rest.entity
  const form = useEntityForm<Draft, Values, Entity>({
    ...rest,
    save: async (values, base) => {
      if ((await save(values, base)) === false) return
      const name = nameOf(values)
      toasts.show({
        tone: 'success',
        ...(isNew ? { title: t('created', { name }) } : { title: t('updated'), content: name }),
      })
      onClose({ saved: true })
    },
  })
  return {
    form,
    onClose,
    saveLabel: t(isNew ? 'create' : 'save'),
    initialFocus: isNew ? ('first' as const) : undefined,
  }
}
