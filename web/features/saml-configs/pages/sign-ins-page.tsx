import { getRouteApi } from '@tanstack/react-router'
import { Card } from '#web/ui/frame/page.tsx'
import { SamlSignIns } from '../sign-ins/saml-sign-ins.tsx'
import { ConfigPage } from './config-page.tsx'

const route = getRouteApi('/saml-configuration/$samlConfigId/sign-ins')

/** Who signed in by a configuration lately, and why somebody could not. */
export function SignInsPage() {
  const { samlConfigId } = route.useParams()
  return (
    <ConfigPage samlConfigId={samlConfigId} heading="samlSignInsOf">
      {({ kind }) => (
        <Card>
          <SamlSignIns id={samlConfigId} kind={kind} />
        </Card>
      )}
    </ConfigPage>
  )
}
