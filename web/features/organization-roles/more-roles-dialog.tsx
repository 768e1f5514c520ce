import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type GivableRole, organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import type { AnswerOf } from '#contract/route.ts'
import type { Membership } from '#contract/session/session.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { freshQuery, query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useHolds } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from './organization-roles.module.css'
import { useRoleWords } from './role-words.ts'
import { WhatTheyMade } from './what-they-made.tsx'

interface MoreRolesDialogProps {
  person: { accountId: string; name: string }
  place: Membership
  onClose: () => void
}
type Held = AnswerOf<typeof organizationRoles.ofPerson>

/** Which roles somebody has in an organisation, each with its days; saved at once, apart from the form around it. */
export function MoreRolesDialog({ person, place, onClose }: MoreRolesDialogProps) {
  const { t } = useTranslation()
  const { organizationId, name } = place
  const params = { userId: person.accountId, organizationId }
  const title = t('moreRolesNamed', { person: person.name, name })
  const offered = useQuery(query(organizationRoles.list, { params: { organizationId } })).data
  const held = useQuery(freshQuery(organizationRoles.ofPerson, { params }))
  return (
    <LoadingDialog query={held} size="small" title={title} onClose={onClose}>
      {(roles) => <Choices params={params} title={title} offered={offered ?? []} held={roles} onClose={onClose} />}
    </LoadingDialog>
  )
}

const getsAnEnd = (before: Held[number], after: Held[number]) =>
  after.validUntil !== null && after.validUntil !== before.validUntil

interface ChoicesProps {
  params: { userId: string; organizationId: string }
  title: string
  offered: readonly GivableRole[]
  held: Held
  onClose: () => void
}

function Choices({ params, title, offered, held, onClose }: ChoicesProps) {
  const { t } = useTranslation()
  const { nameOf, wordsOf } = useRoleWords()
  const [chosen, setChosen] = useState(held)
  const save = useSave(organizationRoles.setOfPerson, { inline: true })
  const holds = useHolds(params.organizationId)
  const { me } = useSignedIn()
  /** Why this role stays as it is: the server refuses it for the same reasons. */
  const whyFixed = ({ role, permissions }: GivableRole): string | undefined => {
    if (!holds(permissions)) return t('roleBeyondOwn')
    const takesOnly = me.accountId === params.userId && !me.superUser
    return takesOnly && !held.some((one) => one.role === role) ? t('roleNotForOneself') : undefined
  }
  const change = (role: string, days: Partial<Held[number]>) =>
    setChosen(chosen.map((one) => (one.role === role ? { ...one, ...days } : one)))
  return (
    <Dialog
      open
      size="small"
      title={title}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            loading={save.isPending}
            onClick={() => save.mutate({ params, input: { roles: chosen } }, { onSuccess: onClose })}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles.choices}>
        {save.error && (
          <Alert tone="danger" live="alert">
            {problemText(save.error)}
          </Alert>
        )}
        {offered.map((one) => {
          const own = chosen.find(({ role }) => role === one.role)
          const fixed = whyFixed(one)
          return (
            <div key={one.role}>
              <Checkbox
                label={nameOf(one)}
                hint={[wordsOf(one.permissions), fixed].filter(Boolean).join('. ')}
                disabled={fixed !== undefined}
                checked={own !== undefined}
                onChange={({ target: { checked } }) =>
                  setChosen(
                    checked
                      ? [...chosen, { role: one.role, validFrom: null, validUntil: null }]
                      : chosen.filter(({ role }) => role !== one.role),
                  )
                }
              />
              {own && (
                <div className={styles.days}>
                  {(['validFrom', 'validUntil'] as const).map((day) => (
                    <Field
                      key={day}
                      id={`${one.role}-${day}`}
                      label={t(day === 'validFrom' ? 'firstDay' : 'lastDay')}
                      optionalText={t('optional')}
                    >
                      <TextInput
                        type="date"
                        readOnly={fixed !== undefined}
                        value={own[day] ?? ''}
                        onChange={({ target: { value } }) => change(one.role, { [day]: value || null })}
                      />
                    </Field>
                  ))}
                </div>
              )}
            </div>
          )
        })}
        {held.some((one) => !chosen.some((own) => own.role === one.role && !getsAnEnd(one, own))) && (
          <WhatTheyMade accountId={params.userId} organizationId={params.organizationId} />
        )}
        <Link to="/roles/$organizationId" params={{ organizationId: params.organizationId }}>
          {t('aboutRoles')}
        </Link>
      </div>
    </Dialog>
  )
}
