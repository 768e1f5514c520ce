import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { FormProblem, problemOf } from './form-problem.tsx'
import { usePublicPage } from './public-page.tsx'

type State<Found> =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: Failure }
  /** Used, expired, replaced, made up. */
  | { name: 'invalid' }
  | { name: 'open'; found: Found; token: string }

export interface OpenLink {
  token: string
  onInvalid: () => void
  /** The invitation or reset has changed: fetches it again. */
  onChanged: () => void
}

interface MailedLinkProps<Found> {
  /** What the link is for. */
  find: (token: string) => Promise<Found>
  /** Label and shape of the skeleton until then. */
  findingLabel: string
  skeleton: ReactNode
  /** For a link that no longer works, or an address without its token. */
  invalid: (withoutToken: boolean) => ReactNode
  children: (found: Found, link: OpenLink) => ReactNode
}

const tokenInAddress = () => location.pathname.split('/')[2] ?? ''

/** The answers for a link that no longer works, and for a malformed token. */
const refusals = ['invitationInvalid', 'resetLinkInvalid', 'setupLinkInvalid', 'validationFailed', 'notFound']

/** The script looks the link up, so that a mail scanner that opens the page does not use the link up. */
export function MailedLink<Found>({ find, findingLabel, skeleton, invalid, children }: MailedLinkProps<Found>) {
  const { t, title } = usePublicPage()
  const [state, go] = useState<State<Found>>({ name: 'finding' })
  const look = useCallback(async () => {
    const token = tokenInAddress()
    if (!token) return go({ name: 'invalid' })
    go({ name: 'finding' })
    try {
      go({ name: 'open', found: await find(token), token })
    } catch (error) {
      const isAnswer = error instanceof ApiProblem && refusals.includes(error.message)
      go(isAnswer ? { name: 'invalid' } : { name: 'findingFailed', problem: problemOf(error) })
    }
  }, [find])
  useEffect(() => void look(), [look])

  switch (state.name) {
    case 'finding':
      return (
        <AuthCard title={title}>
          <SkeletonGroup label={findingLabel}>
            {skeleton}
            <Skeleton shape="control" />
          </SkeletonGroup>
        </AuthCard>
      )
    case 'findingFailed':
      return (
        <FailureCard>
          <FormProblem problem={state.problem} />
          <Button variant="primary" full onClick={() => void look()}>
            {t('tryAgain')}
          </Button>
        </FailureCard>
      )
    case 'invalid':
      return <FailureCard>{invalid(!tokenInAddress())}</FailureCard>
    case 'open':
      return children(state.found, {
        token: state.token,
        onInvalid: () => go({ name: 'invalid' }),
        onChanged: () => void look(),
      })
  }
}

/** Stands where a field will stand. */
export const SkeletonField = () => (
  <>
    <Skeleton width="short" />
    <Skeleton shape="control" />
  </>
)

function FailureCard({ children }: { children: ReactNode }) {
  const { title } = usePublicPage()
  useErrorInTitle(true)
  return <AuthCard title={title}>{children}</AuthCard>
}
