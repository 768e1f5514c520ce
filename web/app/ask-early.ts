import type { QueryClient } from '@tanstack/react-query'
import { launcher } from '#contract/launcher.ts'
import { portal } from '#contract/portal.ts'
import { session } from '#contract/session.ts'
import { endEarlyAnswers } from '#web/lib/early-answers.ts'
import { query } from '#web/lib/query.ts'
import { currentMembership, storedOrganization } from '#web/lib/stored-organization.ts'

/**
 * Asks what the header and the launcher need while the texts are still on their way and before anything is drawn: each
 * answer names what the next question is about, so a late start of the chain would be felt. What fails here fails
 * again, and is told, where it is used.
 */
export function askEarly(client: QueryClient): void {
  void client.prefetchQuery(query(portal.info))
  askAboutPerson(client)
    .catch(() => undefined)
    .finally(endEarlyAnswers)
}

async function askAboutPerson(client: QueryClient) {
  const { accountId, passwordMustChange } = await client.fetchQuery(query(session.me))
  if (passwordMustChange) return
  const params = { id: accountId }
  const askForServices = (organizationId: string | undefined) => {
    if (organizationId && location.pathname === '/')
      void client.prefetchQuery(query(launcher.services, { params: { accountId, organizationId } }))
  }
  const stored = storedOrganization()
  askForServices(stored ?? undefined)
  void client.prefetchQuery(query(launcher.adminServices, { params }))
  const organizations = await client.fetchQuery(query(launcher.organizations, { params }))
  askForServices(currentMembership(organizations, stored)?.organizationId)
}
