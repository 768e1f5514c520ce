import { useNavigate } from '@tanstack/react-router'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { CreateConfig } from './create-config.tsx'

/** A new configuration, from the list. Afterwards its test is the next step. */
export function CreateSamlConfigDialog() {
  const close = useCloseDialog('/saml-configuration')
  const navigate = useNavigate()
  return (
    <CreateConfig
      onClose={close}
      onCreated={({ id }) =>
        void navigate({
          to: '/saml-configuration/$samlConfigId/test',
          params: { samlConfigId: String(id) },
          search: {},
          replace: true,
          ignoreBlocker: true,
        })
      }
    />
  )
}
