import type { launcher } from '#contract/launcher.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { findOwnService, savePreference } from './launcher.repository.ts'

/**
 * Leads to a service that the person has. Without it, leads to the portal's own page, which says what can be done.
 *
 * @returns where the browser goes on
 */
export async function launchService(context: RequestContext<typeof launcher.launch>): Promise<string> {
  const { db, session, params, query, now } = context
  const { serviceId } = params
  const search = query?.organizationId ? `?organizationId=${query.organizationId}` : ''
  if (!session) return `/login?returnTo=${encodeURIComponent(`/launch/${serviceId}${search}`)}`
  // The app asks for the new password first.
  if (session.user.passwordMustChange) return '/'
  const { accountId } = session.user
  const service = await findOwnService(db, { accountId, serviceId, organizationId: query?.organizationId })
  if (!service) return `/no-access/${serviceId}${search}`
  await savePreference(db, { accountId, serviceId, lastUsed: now })
  return service.url
}
