import { createLink } from '@tanstack/react-router'
import UserPlus from 'lucide-react/icons/user-plus'
import { useTranslation } from 'react-i18next'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { Can } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'

const AddLink = createLink(LinkButton)

/** Links to invite one or many users; for super users also to create one. */
export function AddUserLinks({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  return (
    <FormActions>
      <Can do="manageUsers">
        <AddLink to="/user-administration/create-user" search={true} state={openedFromPage}>
          {t('createUser')}
        </AddLink>
      </Can>
      <Can do="readSettings" to={{ organizationId }}>
        <AddLink to="/sign-in-rules/$organizationId" params={{ organizationId }}>
          {t('signInRules')}
        </AddLink>
        <AddLink to="/organization-brand/$organizationId" params={{ organizationId }}>
          {t('organizationBrand')}
        </AddLink>
      </Can>
      <Can do="administerOrganization" to={{ organizationId }}>
        <AddLink to="/organization-directory/$organizationId" params={{ organizationId }}>
          {t('organizationDirectory')}
        </AddLink>
      </Can>
      <Can do="invitePeople" to={{ organizationId }}>
        <AddLink to="/user-administration/import/$organizationId" params={{ organizationId }}>
          {t('inviteMany')}
        </AddLink>
        <AddLink
          to="/user-administration/invite/$organizationId"
          params={{ organizationId }}
          search={true}
          state={openedFromPage}
          variant="primary"
          icon={UserPlus}
        >
          {t('inviteUser')}
        </AddLink>
      </Can>
    </FormActions>
  )
}
