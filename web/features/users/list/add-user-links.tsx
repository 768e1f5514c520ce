import { createLink, Link } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import UserPlus from 'lucide-react/icons/user-plus'
import { useTranslation } from 'react-i18next'
import { useGroups } from '#web/features/groups/groups.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'
import { Menu, MenuLink } from '#web/ui/menu/menu.tsx'

const AddLink = createLink(LinkButton)

/** Invites one person; the menu beside it has what is needed less often. */
export function AddUserLinks({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const can = useCan()
  const params = { organizationId }
  const invites = can('invitePeople', params)
  // Who has groups has a page for them.
  const firstGroup = useGroups(organizationId).length === 0 && can('manageGroups', params)
  if (!invites && !firstGroup) return null
  return (
    <FormActions>
      {invites && (
        <AddLink
          to="/user-administration/invite/$organizationId"
          params={params}
          search={true}
          state={openedFromPage}
          variant="primary"
          icon={UserPlus}
        >
          {t('inviteUser')}
        </AddLink>
      )}
      <Menu label={t('moreWaysToAdd')} icon={Ellipsis} look="icon" align="end">
        {invites && (
          <MenuLink link={<Link to="/user-administration/import/$organizationId" params={params} />}>
            {t('inviteMany')}
          </MenuLink>
        )}
        {can('manageUsers') && (
          <MenuLink link={<Link to="/user-administration/create-user" search={true} state={openedFromPage} />}>
            {t('createUser')}
          </MenuLink>
        )}
        {firstGroup && (
          <MenuLink link={<Link to="/groups/create" state={openedFromPage} />}>{t('createGroup')}</MenuLink>
        )}
      </Menu>
    </FormActions>
  )
}
