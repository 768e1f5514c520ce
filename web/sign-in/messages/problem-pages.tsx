import type { ReactNode } from 'react'
import { LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { ShowIf } from '../frame/page-data.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import styles from './problem-pages.module.css'

/** An address outside the app that does not exist. */
export function NotFoundPage() {
  const { t } = usePublicPage()
  return <ProblemPage code="404">{t('pageNotFoundText')}</ProblemPage>
}

/** A navigation that the server turned down: the message says why. */
export function RefusedPage() {
  return (
    <ProblemPage reference repeatable>
      <Message />
      <Details />
    </ProblemPage>
  )
}

/**
 * A navigation that failed on the server. The reference finds it in the log; what may work in a moment can be tried
 * from here.
 */
export function ServerErrorPage() {
  return (
    <ProblemPage reference repeatable>
      <Message />
    </ProblemPage>
  )
}

interface ProblemPageProps {
  code?: string
  /** Something for support to look up. */
  reference?: boolean
  /** It may work at the next try. */
  repeatable?: boolean
  children: ReactNode
}

function ProblemPage({ code, reference = false, repeatable = false, children }: ProblemPageProps) {
  const { t, title, data } = usePublicPage()
  return (
    <AuthCard large title={title} intro={children}>
      {code && (
        <p className={styles.code} aria-hidden="true">
          {code}
        </p>
      )}
      {repeatable && (
        <ShowIf data={data} name="again">
          <LinkButton href={data.again} variant="primary" full>
            {t('tryAgain')}
          </LinkButton>
        </ShowIf>
      )}
      <LinkButton href="/" variant={repeatable ? 'secondary' : 'primary'} full>
        {t('goHome')}
      </LinkButton>
      {reference && (
        <ShowIf data={data} name="requestId">
          <p className={styles.reference}>{t('referenceId', { id: data.requestId })}</p>
        </ShowIf>
      )}
    </AuthCard>
  )
}

/** For the developer of a service: in the words of the protocol, which are English in every language. */
function Details() {
  const { data } = usePublicPage()
  return (
    <ShowIf data={data} name="details">
      <p className={styles.details}>
        <code lang="en">{data.details}</code>
      </p>
    </ShowIf>
  )
}

function Message() {
  const { data, messageText } = usePublicPage()
  return <p>{messageText(data.error)}</p>
}
