import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { CreateSetup } from './create-setup.tsx'

/** From the list: for which organisation is asked. */
export function CreateSetupDialog() {
  return <CreateSetup onClose={useCloseDialog('/saml-configuration')} />
}
