import { createContext, type ReactNode, use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageText } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/state.tsx'
import { ApiProblem } from './api-problem.ts'

/** What `useQuery` gives, or several of them made into one. */
export interface Question<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => Promise<unknown>
}

interface LoadedProps<Data> {
  query: Question<Data>
  /** Stands where the data will stand, with its measures. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** What was asked for, or its skeleton, or what went wrong with a way to try again. The page around it stays. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  const failure = useFailure(query)
  if (query.data === null) return <NoData />
  if (query.data !== undefined) return children(query.data)
  return failure ? <LoadingFailure {...failure} /> : skeleton
}

function NoData() {
  const { t } = useTranslation()
  return <p>{t('noData')}</p>
}

/** Why something cannot be shown, and how to ask for it again. */
export interface Failure {
  error: Error
  retry: () => void
  retrying: boolean
}

/**
 * TanStack Query forgets what went wrong as soon as it asks again. Here it is kept until there is an answer: the button
 * that asked, and the focus on it, would be gone otherwise.
 */
export function useFailure({ error, refetch }: Pick<Question<unknown>, 'error' | 'refetch'>): Failure | undefined {
  const [retried, setRetried] = useState<Error | null>(null)
  const shown = error ?? retried
  if (!shown) return undefined
  const retry = () => {
    setRetried(shown)
    void refetch().finally(() => setRetried(null))
  }
  return { error: shown, retry, retrying: !error }
}

/** The validation issues, where there are any: they say more than that something is invalid. */
const whyNot = (error: Error) => {
  const issues = error instanceof ApiProblem ? error.issues : []
  const texts = new Set(issues.map(({ message }) => messageText(message)))
  return texts.size > 0 ? [...texts].join(' ') : problemText(error)
}

/** Where asking the same again does not help, a way back is offered instead, where there is one. */
const WayBack = createContext<(() => void) | undefined>(undefined)
export const WayBackProvider = WayBack.Provider

/** Whether the same question may be answered later: what is missing, refused or asked amiss stays so. */
const mayPass = (error: Error) =>
  !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500

export function LoadingFailure({ error, retry, retrying }: Failure) {
  const { t } = useTranslation()
  const goBack = use(WayBack)
  if (!mayPass(error))
    return <ErrorState action={goBack && <Button onClick={goBack}>{t('back')}</Button>}>{whyNot(error)}</ErrorState>
  return (
    <ErrorState
      action={
        <Button loading={retrying} onClick={retry}>
          {t('tryAgain')}
        </Button>
      }
    >
      {whyNot(error)}
      {error instanceof ApiProblem && error.status >= 500 && error.requestId && (
        <p>{t('referenceId', { id: error.requestId })}</p>
      )}
    </ErrorState>
  )
}
