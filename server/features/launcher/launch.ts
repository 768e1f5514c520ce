import { enterPath, type launcher } from '#contract/launcher/launcher.ts'
import type { Config } from '#server/config.ts'
import { launchedCookie, organizationParameter } from '#server/oidc/reach/chosen-organization.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { findOwnService, saveUse } from './launcher.repository.ts'

/**
 * Redirects to a service that the person has, and remembers for its sign-in which organisation was chosen. Without access,
 * redirects to the portal's page that says what the person can do.
 *
 * @returns where the browser goes on
 */
export async function launchService(context: RequestContext<typeof launcher.launch>): Promise<string> {
  const { db, session, params, query, now, config, http } = context
  const { serviceId } = params
  const search = query?.organizationId ? `?organizationId=${query.organizationId}` : ''
  if (!session) return `/login?returnTo=${encodeURIComponent(`/launch/${serviceId}${search}`)}`
  // The app asks for the new password first.
  if (session.user.passwordMustChange) return '/'
  const { actor, heldBack } = session
  const { accountId } = actor
  const isWanted = (one: { organizationId: string }) =>
    query?.organizationId === undefined || one.organizationId === query.organizationId
  const organizationIds = actor.organizations.filter(isWanted).map((one) => one.organizationId)
  const service = await findOwnService(db, { accountId, serviceId, organizationIds })
  if (!service) {
    const held = heldBack.services.find((one) => one.serviceId === serviceId && isWanted(one))
    if (!held) return `/no-access/${serviceId}${search}`
    const { organizationId } = held
    // The page asks for the stronger sign-in of the organisation, and comes back here.
    return enterPath(organizationId, `/launch/${serviceId}?organizationId=${organizationId}`)
  }
  if (query?.organizationId) {
    const { name, value, options } = launchedCookie(config, serviceId, query.organizationId)
    http.reply.setCookie(name, value, options)
  }
  // Of several organisations that gave it, nobody can tell for which it is.
  if (service.places === 1) await saveUse(db, { accountId, organizationId: service.organizationId, serviceId }, now)
  return service.initiateLoginUri ? initiateLogin(config, service, query?.organizationId) : service.url
}

/** A sign-in that starts here (OpenID Connect Core, 4), with the organisation that was chosen. */
function initiateLogin(
  { baseUrl }: Config,
  { initiateLoginUri, url }: { initiateLoginUri: string | null; url: string },
  organizationId: string | undefined,
): string {
  const target = new URL(initiateLoginUri ?? url)
  target.searchParams.set('iss', `${baseUrl}/oidc`)
  target.searchParams.set('target_link_uri', url)
  if (organizationId) target.searchParams.set(organizationParameter, organizationId)
  return target.href
}
