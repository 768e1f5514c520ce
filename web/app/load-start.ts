import type { QueryClient } from '@tanstack/react-query'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { invitations } from '#contract/invitations/invitations.ts'
import { launcher, type StartAnswer } from '#contract/launcher/launcher.ts'
import { notices } from '#contract/notices/notices.ts'
import { portal } from '#contract/portal/portal.ts'
import { session } from '#contract/session/session.ts'
import { call } from '#web/lib/requests/api.ts'
import { query } from '#web/lib/requests/query.ts'

/**
 * Asks once for all that the header and the launcher need, while the texts are still on their way. app.html preloads
 * the answer. What fails here is asked again, and reported, where it is used.
 */
export function loadStart(client: QueryClient): void {
  void client.prefetchQuery(query(portal.info))
  void client.prefetchQuery({
    ...query(session.me),
    queryFn: async ({ signal }) => {
      const start = await call(launcher.start, { signal })
      shareStart(client, start)
      return start.user
    },
  })
}

/** Answers the calls that the screens make by themselves. Until the password is changed the server answers none. */
function shareStart(
  client: QueryClient,
  { user, organizations, services, requestable, invitations: open, notices: told, reviews }: StartAnswer,
) {
  if (user.passwordMustChange || user.mustEnrol) return
  const params = { id: user.accountId }
  client.setQueryData(query(launcher.organizations, { params }).queryKey, organizations)
  // Who is responsible for a service need not have it.
  if (!organizations.some(({ scoped }) => scoped?.some(({ role }) => role === 'serviceOwner')))
    client.setQueryData(
      query(launcher.adminServices, { params }).queryKey,
      services.filter(({ userRole }) => userRole === 'serviceAdmin'),
    )
  client.setQueryData(query(invitations.mine).queryKey, open)
  client.setQueryData(query(notices.current).queryKey, told)
  client.setQueryData(query(accessReviews.asked).queryKey, reviews)
  for (const { organizationId } of organizations) {
    client.setQueryData(
      query(launcher.services, { params: { accountId: user.accountId, organizationId } }).queryKey,
      services.filter((service) => service.organizationId === organizationId),
    )
    client.setQueryData(
      query(launcher.requestable, { params: { id: organizationId } }).queryKey,
      requestable.filter((service) => service.organizationId === organizationId),
    )
  }
}
