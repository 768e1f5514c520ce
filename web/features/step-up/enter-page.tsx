import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { factors } from '#contract/factors/factors.ts'
import { asksForTwo, isCompany, loginMethods } from '#contract/login-methods.ts'
import type { SecondFactorKind } from '#contract/second-factors.ts'
import type { OwnMembership } from '#contract/session/session.ts'
import { type RaisingMethod, raisingMethods, signInMethods } from '#contract/sign-in-methods.ts'
import { writeOrganization } from '#web/lib/organization/stored-organization.ts'
import { Loaded, LoadingFailure } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { factorName } from '#web/lib/texts/factor-names.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions, FormGrid, PageHeading } from '#web/ui/frame/page.tsx'
import { ConfirmByPasskey } from './confirm-by-passkey.tsx'
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
  const raising = needs ? raisingMethods.find((method) => method === loginMethods[needs].first) : undefined
  const hasNumber = me.ssn !== null && !me.ssn.startsWith('placeholder')
  const why =
    needs && isCompany(needs)
      ? t(loginMethods[needs].stepUp, { name })
      : raising && !hasNumber && t('stepUpNoNumberText', { name })
  return (
    <>
      <PageHeading title={t(why ? 'stepUpNotPossible' : 'stepUpTitle')} subtitle={name} />
      <Card narrow>
        {needs && asksForTwo(needs) && <ByFactor organization={organization} onDone={onDone} />}
        {needs && raising && hasNumber && (
          <FormGrid>
            <p>{t(loginMethods[needs].stepUp, { name })}</p>
            <FormActions>
              <LinkButton href={raisingPath(raising, { email: me.email, organizationId, returnTo })} variant="primary">
                {t(signInMethods[raising].goOn)}
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

/** By a second factor that the person has and the organisation takes. */
function ByFactor({ organization: { name, factors: taken }, onDone }: Pick<AskProps, 'organization' | 'onDone'>) {
  const { t } = useTranslation()
  const own = useQuery(freshQuery(factors.read))
  return (
    <Loaded query={own} skeleton={null}>
      {({ kinds }) => {
        const usable = kinds.filter((kind) => taken?.includes(kind) ?? true)
        if (usable.length === 0 && taken) return <AddFirst name={name} taken={taken} />
        const hasCode = usable.some((kind) => signInMethods[kind].step !== 'key')
        return (
          <FormGrid>
            {usable.some((kind) => signInMethods[kind].step === 'key') && (
              <ConfirmByPasskey text={hasCode ? null : t('stepUpPasskeyText', { name })} onDone={onDone} />
            )}
            {hasCode && (
              <EnterByCode
                text={t('stepUpCodeText', { name })}
                hasApp={usable.some((kind) => signInMethods[kind].step === 'code')}
                hasMail={usable.includes('email')}
                hasPhoneNumber={usable.includes('sms')}
                onDone={onDone}
              />
            )}
          </FormGrid>
        )
      }}
    </Loaded>
  )
}

function AddFirst({ name, taken }: { name: string; taken: readonly SecondFactorKind[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(taken.map((kind) => t(factorName(kind))))
  return (
    <FormGrid>
      <Alert tone="warn">{t('stepUpFactorText', { name, factors: list })}</Alert>
      <FormActions>
        <LinkButton href="/account" variant="primary">
          {t('accountSettings')}
        </LinkButton>
        <LinkButton href="/">{t('goHome')}</LinkButton>
      </FormActions>
    </FormGrid>
  )
}

/** The sign-in pages, which come back to this one. */
function raisingPath(
  method: RaisingMethod,
  { email, organizationId, returnTo }: { email: string; organizationId: string; returnTo: string },
): string {
  const here = `/enter/${organizationId}?${new URLSearchParams({ returnTo })}`
  return `/login?${new URLSearchParams({ prompt: 'login', method, email, returnTo: here })}`
}
