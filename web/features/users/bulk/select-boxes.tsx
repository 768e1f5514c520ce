import { useTranslation } from 'react-i18next'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { nameOf, type Selection } from './use-selection.ts'

/** Selects a person. */
export function SelectOne({ user, selection }: { user: UserSummary; selection: Selection }) {
  const { t } = useTranslation()
  return (
    <Checkbox
      label={<span className="vh">{t('selectPerson', { name: nameOf(user) })}</span>}
      checked={selection.has(user.accountId)}
      onChange={(event) => selection.toggle([user], event.target.checked)}
    />
  )
}

/** Selects everyone on the page. */
export function SelectAll({ rows, selection }: { rows: readonly UserSummary[]; selection: Selection }) {
  const { t } = useTranslation()
  const selected = rows.filter(({ accountId }) => selection.has(accountId)).length
  const all = selected === rows.length
  return (
    <Checkbox
      ref={(box: HTMLInputElement | null) => {
        if (box) box.indeterminate = selected > 0 && !all
      }}
      label={<span className="vh">{t('selectPage')}</span>}
      checked={all}
      onChange={() => selection.toggle(rows, !all)}
    />
  )
}
