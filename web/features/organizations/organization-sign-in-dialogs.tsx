import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import { PrepareSignIn, SendSetupLink } from '#web/features/saml-configs/saml-configs.tsx'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { OpenOrganization } from './open-organization.ts'

const above = '/organization-settings/$organizationId'

/** Sets up the organisation's sign-in, above its dialog: what is typed there stays. */
export function PrepareSignInDialog() {
  const open = use(OpenOrganization)
  const close = useCloseDialog(above)
  const navigate = useNavigate()
  if (!open) return null
  return (
    <PrepareSignIn
      organization={open.organization}
      onClose={close}
      onCreated={({ id }) => {
        open.onPrepared(id)
        // What was typed below must be saved first; its dialog leads on to the test.
        if (open.dirty) close({ saved: true })
        else
          void navigate({
            to: '/saml-configuration/$samlConfigId/test',
            params: { samlConfigId: String(id) },
            search: {},
            replace: true,
            ignoreBlocker: true,
          })
      }}
    />
  )
}

export function SignInLinkDialog() {
  const open = use(OpenOrganization)
  const close = useCloseDialog(above)
  return open && <SendSetupLink organization={open.organization} onClose={close} />
}
