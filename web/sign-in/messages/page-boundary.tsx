import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import styles from './problem-pages.module.css'

interface State {
  crashed: boolean
  reference: string | undefined
}

/** Catches what nothing else on the page caught; its frame stays. A class, because React offers this to classes only. */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { crashed: false, reference: undefined }

  static getDerivedStateFromError(): Partial<State> {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    // Loaded only now: it hardly ever happens.
    void import('#web/lib/requests/crash-report.ts')
      .then(({ reportCrash }) => reportCrash(error, componentStack))
      .then((reference) => this.setState({ reference }))
      .catch(() => undefined)
  }

  override render() {
    return this.state.crashed ? <CrashedPage reference={this.state.reference} /> : this.props.children
  }
}

function CrashedPage({ reference }: { reference: string | undefined }) {
  const { t } = usePublicPage()
  return (
    <div role="alert">
      <AuthCard title={t('serverError')} large intro={<p>{t('genericErrorMessage')}</p>}>
        <Button variant="primary" full onClick={() => location.reload()}>
          {t('tryAgain')}
        </Button>
        {reference && <p className={styles.reference}>{t('referenceId', { id: reference })}</p>}
      </AuthCard>
    </div>
  )
}
