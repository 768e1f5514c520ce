import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { CallFailed } from './calls.ts'
import { FormProblem, type FormProblemState, problemOf } from './form-problem.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'

type State<Found> =
  | { name: 'finding' }
  | { name: 'findingFailed'; problem: FormProblemState }
  /** Used, expired, replaced, made up. */
  | { name: 'invalid' }
  | { name: 'open'; found: Found; token: string }

interface MailedLinkProps<Found> {
  /** What the link is for. */
  find: (token: string) => Promise<Found>
  /** What is said and shown until then. */
  findingLabel: string
  skeleton: ReactNode
  /** For a link that does not work, or an address without its token. */
  invalid: (withoutToken: boolean) => ReactNode
  children: (found: Found, link: { token: string; onInvalid: () => void }) => ReactNode
}

const tokenInAddress = () => location.pathname.split('/')[2] ?? ''

/** What the server says of a link that does not work (any more), and of what no token ever looks like. */
const refusals = ['invitationInvalid', 'resetLinkInvalid', 'validationFailed', 'notFound']

/** What a link is for is asked by the script: opening the page, as mail scanners do, uses nothing up. */
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
      const isAnswer = error instanceof CallFailed && refusals.includes(error.message)
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
        <Failure>
          <FormProblem problem={state.problem} />
          <Button variant="primary" full onClick={() => void look()}>
            {t('tryAgain')}
          </Button>
        </Failure>
      )
    case 'invalid':
      return <Failure>{invalid(!tokenInAddress())}</Failure>
    case 'open':
      return children(state.found, { token: state.token, onInvalid: () => go({ name: 'invalid' }) })
  }
}

/** Stands where a field will stand. */
export const SkeletonField = () => (
  <>
    <Skeleton width="short" />
    <Skeleton shape="control" />
  </>
)

function Failure({ children }: { children: ReactNode }) {
  const { title } = usePublicPage()
  useWindowTitle(true)
  return <AuthCard title={title}>{children}</AuthCard>
}
