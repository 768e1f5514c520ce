import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnMembership } from '#contract/session/session.ts'
import { writeOrganization } from '#web/lib/organization/stored-organization.ts'
import { LoadingFailure } from '#web/lib/requests/loaded.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions, FormGrid, PageHeading } from '#web/ui/frame/page.tsx'
import { EnterByCode } from './enter-by-code.tsx'
import { safePath } from './safe-path.ts'

const page = getRouteApi('/enter/$organizationId')

/** An organisation asks for more than this session has proven: what that is, once, and then back. */
export function EnterPage() {
  const { organizationId } = page.useParams()
  const { returnTo } = page.useSearch()
  const { organizations, heldBack, failure } = useSignedIn()
  const held = heldBack.find((one) => one.organizationId === organizationId)
  const goOn = () => {
    // Written for the next page alone: this one does not know yet that the organisation is in reach. Everything that was
    // read before was read by the weaker session, so that the page is loaded again.
    writeOrganization(organizationId)
    location.assign(safePath(returnTo))
  }
  const reached = organizations !== undefined && !held
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as nothing more is asked
  useEffect(() => {
    if (reached) goOn()
  }, [reached])
  if (failure) return <LoadingFailure {...failure} />
  return held ? <Ask organization={held} returnTo={safePath(returnTo)} onDone={goOn} /> : null
}

interface AskProps {
  organization: OwnMembership
  returnTo: string
  onDone: () => void
}

function Ask({ organization, returnTo, onDone }: AskProps) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { name, needs, organizationId } = organization
  const hasNumber = me.ssn !== null && !me.ssn.startsWith('placeholder')
  const why =
    needs === 'saml'
      ? t('stepUpSamlText', { name })
      : needs === 'bankid' && !hasNumber && t('stepUpNoNumberText', { name })
  return (
    <>
      <PageHeading title={t(why ? 'stepUpNotPossible' : 'stepUpTitle')} subtitle={name} />
      <Card narrow>
        {needs === 'local2FA' && (
          <EnterByCode text={t('stepUpCodeText', { name })} hasPhoneNumber={me.phoneNumber !== null} onDone={onDone} />
        )}
        {needs === 'bankid' && hasNumber && (
          <FormGrid>
            <p>{t('stepUpBankIdText', { name })}</p>
            <FormActions>
              <LinkButton href={bankIdPath(me.email, organizationId, returnTo)} variant="primary">
                {t('continueWithBankId')}
              </LinkButton>
            </FormActions>
          </FormGrid>
        )}
        {why && (
          <FormGrid>
            <Alert tone="warn">{why}</Alert>
            <FormActions>
              <LinkButton href="/">{t('goHome')}</LinkButton>
            </FormActions>
          </FormGrid>
        )}
      </Card>
    </>
  )
}

/** The sign-in pages, which come back to this one. */
function bankIdPath(email: string, organizationId: string, returnTo: string): string {
  const here = `/enter/${organizationId}?${new URLSearchParams({ returnTo })}`
  return `/login?${new URLSearchParams({ prompt: 'login', method: 'bankid', email, returnTo: here })}`
}
