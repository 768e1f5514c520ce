import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Group, groups } from '#contract/groups/groups.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { users } from '#contract/users/users.ts'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { call } from '#web/lib/requests/api.ts'
import { query } from '#web/lib/requests/query.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './groups.module.css'

type Person = Pick<UserSummary, 'accountId' | 'email' | 'firstName' | 'lastName'>
const nameOf = ({ firstName, lastName, email }: Person) => [firstName, lastName].filter(Boolean).join(' ') || email

/** Puts people of the organisation in a group, or sets the days of those who are in it. */
export function AddPeopleDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation()
  const [searchQuery, setSearchQuery] = useState('')
  const [text, search, searchNow] = useSearchText(searchQuery, setSearchQuery)
  const [chosen, setChosen] = useState<readonly Person[]>([])
  const [days, setDays] = useState({ validFrom: '', validUntil: '' })
  const { groupId, organizationId, name } = group
  const found = useQuery(query(users.ofOrganization, { params: { id: organizationId }, query: { searchQuery } })).data
  const shown: Person[] = [
    ...chosen,
    ...(found?.items ?? []).filter(({ accountId }) => !chosen.some((one) => one.accountId === accountId)),
  ]
  const client = useQueryClient()
  const [isWithoutDays, setWithoutDays] = useState(false)
  const given = Object.fromEntries(Object.entries(days).flatMap(([name, day]) => (day ? [[name, day]] : [])))
  const without = { validFrom: null, validUntil: null }
  const put = useMutation({
    mutationFn: () =>
      call(groups.put, {
        params: { id: groupId },
        input: {
          accountIds: chosen.map(({ accountId }) => accountId),
          dryRun: false,
          ...(isWithoutDays ? without : given),
        },
      }),
    onSuccess: ({ rows }) => {
      void client.invalidateQueries()
      const count = rows.filter(({ outcome }) => outcome === 'done').length
      toasts.show({ tone: 'success', title: t('addedToGroup', { count, group: name }) })
      onClose()
    },
    meta: { inline: true },
  })
  return (
    <Dialog
      open
      size="small"
      title={t('addToGroup')}
      subtitle={name}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            loading={put.isPending}
            aria-disabled={chosen.length === 0 || undefined}
            onClick={() => chosen.length > 0 && put.mutate()}
          >
            {t('addToGroupCount', { count: chosen.length })}
          </Button>
        </>
      }
    >
      <div className={styles.choices}>
        {put.error && (
          <Alert tone="danger" live="alert">
            {problemText(put.error)}
          </Alert>
        )}
        <SearchInput
          label={t('searchUsers')}
          clearLabel={t('clearSearch')}
          maxLength={200}
          value={text}
          onChange={search}
          onBlur={searchNow}
        />
        <FieldGroup legend={t('people')} hint={t('addToGroupHint')}>
          {shown.map((person) => (
            <Checkbox
              key={person.accountId}
              label={nameOf(person)}
              hint={nameOf(person) === person.email ? undefined : person.email}
              checked={chosen.includes(person)}
              onChange={({ target: { checked } }) =>
                setChosen(checked ? [...chosen, person] : chosen.filter((one) => one !== person))
              }
            />
          ))}
          {found && shown.length === 0 && <p className={styles.quiet}>{t('noUsersFound', { searchQuery })}</p>}
        </FieldGroup>
        <div className={styles.days}>
          {(['validFrom', 'validUntil'] as const).map((day) => (
            <Field key={day} label={t(day === 'validFrom' ? 'firstDay' : 'lastDay')} optionalText={t('optional')}>
              <TextInput
                type="date"
                value={isWithoutDays ? '' : days[day]}
                disabled={isWithoutDays}
                onChange={(event) => setDays({ ...days, [day]: event.target.value })}
              />
            </Field>
          ))}
        </div>
        <Checkbox
          label={t('groupWithoutDays')}
          hint={t('groupWithoutDaysHint')}
          checked={isWithoutDays}
          onChange={({ target: { checked } }) => setWithoutDays(checked)}
        />
      </div>
    </Dialog>
  )
}
