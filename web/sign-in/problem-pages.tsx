import type { ReactNode } from 'react'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Where } from './page-data.tsx'
import styles from './problem-pages.module.css'
import { usePublicPage, useWindowTitle } from './public-page.tsx'

/** An address outside the app that does not exist. */
export function NotFoundPage() {
  const { t } = usePublicPage()
  return <ProblemPage code="404">{t('pageNotFoundText')}</ProblemPage>
}

/** A navigation that the server turned down: the message says why. */
export function RefusedPage() {
  return (
    <ProblemPage reference>
      <Message />
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
  useWindowTitle()
  return (
    <AuthCard large title={title} intro={children}>
      {code && (
        <p className={styles.code} aria-hidden="true">
          {code}
        </p>
      )}
      {repeatable && (
        <Where data={data} name="again">
          <LinkButton href={data.again} variant="primary" full>
            {t('tryAgain')}
          </LinkButton>
        </Where>
      )}
      <LinkButton href="/" variant={repeatable ? 'secondary' : 'primary'} full>
        {t('goHome')}
      </LinkButton>
      {reference && (
        <Where data={data} name="requestId">
          <p className={styles.reference}>{t('referenceId', { id: data.requestId })}</p>
        </Where>
      )}
    </AuthCard>
  )
}

function Message() {
  const { data, messageText } = usePublicPage()
  return <p>{messageText(data.error)}</p>
}
