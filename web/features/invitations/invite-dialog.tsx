import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type InviteForm, invitations, inviteForm, maxInvitationMessage } from '#contract/invitations/invitations.ts'
import { isCompany } from '#contract/login-methods.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { type Organization, organizations } from '#contract/organizations/organizations.ts'
import { type CloseDialog, cameFrom, openedFromPage, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useGivesAdminRole } from '#web/lib/session/can.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { MailLanguageField } from './mail-language-field.tsx'
import { RefusedDialog } from './refused-dialog.tsx'

type Place = '/user-administration' | '/organization-settings'

const colleagues = getRouteApi('/user-administration/invite/$organizationId')
const organizationsList = getRouteApi('/organization-settings/invite/$organizationId')

/** Opened from the users of an organisation. */
export function InviteColleagueDialog() {
  return <InviteDialog place="/user-administration" organizationId={colleagues.useParams().organizationId} />
}

/** Opened from the list of organisations. */
export function InviteToOrganizationDialog() {
  return <InviteDialog place="/organization-settings" organizationId={organizationsList.useParams().organizationId} />
}

function InviteDialog({ place, organizationId }: { place: Place; organizationId: string }) {
  const { t } = useTranslation()
  const close = useCloseDialog(place)
  const organization = useQuery(query(organizations.read, { params: { id: organizationId } }))
  return (
    <RefusedDialog title={t('inviteUser')} organizationId={organizationId} onClose={close}>
      <LoadingDialog query={organization} title={t('inviteUser')} onClose={close}>
        {(found) => <Invite key={organizationId} organization={found} place={place} onClose={close} />}
      </LoadingDialog>
    </RefusedDialog>
  )
}

interface InviteProps {
  organization: Organization
  place: Place
  onClose: CloseDialog
}

function Invite({ organization: { organizationId, name, loginMethod, guestDays }, place, onClose }: InviteProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const givesAdminRole = useGivesAdminRole()(organizationId)
  const { mutateAsync } = useSave(invitations.invite, { inline: true })
  const form = useSchemaForm<z.input<typeof inviteForm>, InviteForm>({
    schema: inviteForm,
    labels: {
      email: 'email',
      message: 'message',
      organizationId: 'organization',
      userRole: 'role',
      guest: 'inviteGuest',
      language: 'invitationLanguage',
    },
    values: { email: '', message: '', organizationId, userRole: 'regular', guest: false, language },
    save: async (input) => {
      await mutateAsync({ input }).catch(atAddress)
      toasts.show({ tone: 'success', title: t('invitationSent'), content: input.email })
      onClose({ saved: true })
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('inviteUser')}
      subtitle={<Badge>{name}</Badge>}
      onClose={onClose}
      initialFocus="first"
      footerStart={<InviteMany organizationId={organizationId} place={place} />}
      saveLabel={t('sendInvitation')}
    >
      <Field {...form.field('email')}>
        <TextInput type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
      </Field>
      <Field {...form.field('message')} optionalText={t('optional')} hint={t('messageHint')}>
        <TextArea
          rows={5}
          counter={(length) => t('charactersOf', { length, max: maxInvitationMessage })}
          {...form.register('message')}
        />
      </Field>
      <FormGrid columns>
        {givesAdminRole && (
          <Field {...form.field('userRole')}>
            <Select {...form.register('userRole')}>
              <option value="regular">{t('roleRegular')}</option>
              <option value="organizationAdmin">{t('roleOrganizationAdmin')}</option>
            </Select>
          </Field>
        )}
        <MailLanguageField {...form.register('language')} />
      </FormGrid>
      <Switch
        id={form.field('guest').id}
        label={isCompany(loginMethod) ? form.field('guest').label : t('inviteConsultant')}
        hint={[isCompany(loginMethod) && t('inviteGuestHint'), guestDays && t('guestEndsHint', { count: guestDays })]
          .filter(Boolean)
          .join(' ')}
        {...form.register('guest')}
      />
    </FormDialog>
  )
}

/** Shows "already a member" as an error of the address field. */
function atAddress(error: unknown): never {
  if (!(error instanceof ApiProblem && error.message === 'organizationAlreadyAdded')) throw error
  const message: MessageKey = 'alreadyMember'
  throw new ApiProblem(error.status, message, { issues: [{ path: 'email', message }] })
}
/** Replaces the dialog in the history, so that Back leads to the list. */
function InviteMany({ organizationId, place }: { organizationId: string; place: Place }) {
  const { t } = useTranslation()
  const { state, search } = useLocation()
  return (
    <Link
      to="/user-administration/import/$organizationId"
      params={{ organizationId }}
      state={{ ...cameFrom({ pathname: place, search }), ...(state.openedFromPage && openedFromPage) }}
      replace
    >
      {t('inviteMany')}
    </Link>
  )
}
