import { useQuery } from '@tanstack/react-query'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { categoryOrder, services } from '#contract/services/services.ts'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './services.module.css'

export function OrderCategoriesDialog() {
  const { t } = useTranslation()
  const onClose = useCloseDialog('/services')
  return (
    <LoadingDialog
      query={useQuery(freshQuery(services.categories))}
      size="small"
      title={t('orderCategories')}
      onClose={onClose}
    >
      {(categories) => <OrderCategories categories={categories} onClose={onClose} />}
    </LoadingDialog>
  )
}

function OrderCategories({ categories, onClose }: { categories: string[]; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const save = useSave(services.orderCategories, { inline: true })
  const [said, say] = useState('')
  const form = useSchemaForm({
    schema: categoryOrder,
    labels: { categories: 'categories' },
    values: { categories },
    save: async (input) => {
      await save.mutateAsync({ input })
      toasts.show({ tone: 'success', title: t('orderSaved') })
      onClose({ saved: true })
    },
  })
  const names = useWatch({ control: form.form.control, name: 'categories' })
  const move = (from: number, to: number) => {
    const [name, present] = [names[from], names[to]]
    if (name === undefined || present === undefined) return
    form.form.setValue(
      'categories',
      names.map((one, at) => (at === from ? present : at === to ? name : one)),
      { shouldDirty: true },
    )
    say(t('movedTo', { name, place: to + 1, count: names.length }))
  }
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      saveLabel={names.length > 0 ? t('save') : undefined}
      size="small"
      title={t('orderCategories')}
    >
      <p>{names.length > 0 ? t('orderCategoriesHint') : t('noCategories')}</p>
      <ol className={styles.order} aria-label={t('categories')}>
        {names.map((name, at) => (
          <li key={name} className={styles.category}>
            <span>{name}</span>
            <IconButton
              icon={ArrowUp}
              label={t('moveUp', { name })}
              aria-disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              icon={ArrowDown}
              label={t('moveDown', { name })}
              aria-disabled={at === names.length - 1}
              onClick={() => move(at, at + 1)}
            />
          </li>
        ))}
      </ol>
      <p className="vh" role="status">
        {said}
      </p>
    </FormDialog>
  )
}
