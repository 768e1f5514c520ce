import { useLayoutEffect } from 'react'
import type { Language } from '#contract/languages.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { findSetup } from '../frame/calls.ts'
import { loadPart } from '../frame/load-part.ts'
import { MailedLink, SkeletonField } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { rememberedToken } from './remembered-token.ts'
import { loadSetupTexts } from './setup-texts.ts'

async function find(token: string) {
  const ticket = new URLSearchParams(location.search).get('ticket') ?? undefined
  const [setup, texts, { SetupSteps: Steps }] = await Promise.all([
    findSetup({ token, ticket }),
    loadSetupTexts(document.documentElement.lang as Language),
    loadPart(import('./setup-steps.tsx')),
  ])
  return { setup, texts, Steps }
}

/** Where the IT of an organisation prepares its sign-in, without an account. */
export function SetupPage() {
  const { t } = usePublicPage()
  // A test sign-in comes back without the token, which the identity provider must not learn.
  useLayoutEffect(() => {
    const token = location.pathname.split('/')[2] ? '' : rememberedToken()
    if (token) history.replaceState(null, '', `/saml-setup/${token}${location.search}`)
  }, [])
  return (
    <MailedLink
      find={find}
      findingLabel={t('checkingLink')}
      skeleton={
        <>
          <Skeleton width="half" />
          {['entityId', 'acsUrl', 'sloUrl', 'startUrl', 'metadata'].map((field) => (
            <SkeletonField key={field} />
          ))}
        </>
      }
      invalid={(withoutToken) => (
        <Alert tone="danger" live="alert" title={t(withoutToken ? 'tokenRequired' : 'setupLinkInvalid')}>
          {t(withoutToken ? 'setupOpenLinkAgain' : 'setupLinkInvalidText')}
        </Alert>
      )}
    >
      {({ setup, texts, Steps }, link) => <Steps setup={setup} texts={texts} {...link} />}
    </MailedLink>
  )
}
