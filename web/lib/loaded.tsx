import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/state.tsx'
import { problemText } from './problem-text.ts'

/** What `useQuery` gives, or several of them made into one. */
export interface Question<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
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
  const { data, error, refetch, isFetching } = query
  if (data !== undefined) return children(data)
  if (error) return <LoadingFailure error={error} onRetry={() => void refetch()} retrying={isFetching} />
  return skeleton
}

interface LoadingFailureProps {
  error: Error
  onRetry: () => void
  retrying?: boolean
}

export function LoadingFailure({ error, onRetry, retrying = false }: LoadingFailureProps) {
  const { t } = useTranslation()
  return (
    <ErrorState
      action={
        <Button loading={retrying} onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      }
    >
      {problemText(error)}
    </ErrorState>
  )
}
