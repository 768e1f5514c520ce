import type { RawBuilder } from 'kysely'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '#server/config.ts'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { findRequest } from '../requests/request-record.ts'
import { meetsFloor } from './sign-in-floor.ts'

/** For which of a person's organisations a service signs the person in. At most one of the facts is given. */
export interface Entry {
  /** Everything that the service gets is of this organisation. */
  organizationId?: string
  /** The one that it can be asks for a stronger sign-in. */
  heldBackIn?: string
  /** Several can be meant: the person picks one of these ids. */
  choices?: string[]
}

/** The scope with which a service asks for one organisation. */
export const organizationScope = 'organization'

/** A parameter of the authorization request that names an organisation. */
export const organizationParameter = 'organization_id'

/** Refuses what is no id; whether there is such an organisation no answer says. */
export async function checkOrganizationParameter(_: unknown, value: unknown): Promise<void> {
  if (value !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)))
    throw new errors.InvalidRequest('organization_id must be the id of an organisation')
}

const scopesOf = (scope: unknown) => (typeof scope === 'string' ? scope.split(' ') : [])

/** Whether a request is about one organisation. */
export const isForOneOrganization = ({ params }: KoaContextWithOIDC['oidc']): boolean =>
  scopesOf(params?.scope).includes(organizationScope) || params?.[organizationParameter] !== undefined

/**
 * Decides for which organisation an authorization request is: the one that it names, the one that the launcher has just
 * opened the service for, or the only one. An organisation in which the person lacks the service is like none.
 *
 * @returns undefined if the person may not enter
 */
export async function decideEntry(
  { db, config }: { db: Db; config: Config },
  ctx: KoaContextWithOIDC,
  who: { accountId: string; serviceId: string; amr: RawBuilder<unknown> },
): Promise<Entry | undefined> {
  const present = await listEntries(db, who)
  const find = (id: unknown) => present.find(({ organizationId }) => organizationId === id)
  const cookies = findRequest(ctx.req)?.cookies ?? {}
  const { launched, last } = organizationCookies(config)
  const named = ctx.oidc.params?.[organizationParameter]
  const [service, opened] = (cookies[launched] ?? '').split('.')
  const only = present.length === 1 ? present[0] : undefined
  const chosen = named === undefined ? (only ?? (service === who.serviceId ? find(opened) : undefined)) : find(named)
  if (chosen) return chosen.reached ? { organizationId: chosen.organizationId } : { heldBackIn: chosen.organizationId }
  if (named !== undefined || present.length === 0) return undefined
  const ids = present.map(({ organizationId }) => organizationId)
  return { choices: ids.sort((a, b) => Number(b === cookies[last]) - Number(a === cookies[last])) }
}

/** Where the person has the service, by name, and whether the session reaches it. */
async function listEntries(
  db: Db,
  { accountId, serviceId, amr }: { accountId: string; serviceId: string; amr: RawBuilder<unknown> },
) {
  const statement = db
    .selectFrom(currentAssignments)
    .innerJoin('organizations as o', 'o.organizationId', 'a.organizationId')
    .innerJoin(currentMemberships, (join) =>
      join.onRef('m.organizationId', '=', 'a.organizationId').onRef('m.accountId', '=', 'a.accountId'),
    )
    .innerJoin('users as u', 'u.accountId', 'a.accountId')
    .select(['o.organizationId', meetsFloor(amr).as('reached')])
    .where('a.accountId', '=', accountId)
    .where('a.serviceId', '=', serviceId)
    .orderBy('o.name')
    .orderBy('o.organizationId')
  return (await executePrepared(db, statement)).rows
}

/**
 * Binds the code of this request, and every token that comes from it, to an organisation. It travels in the request's
 * claims, which the provider keeps with the code and hands on to the tokens; what the service wrote there does not count.
 *
 * @returns the claims that the grant needs
 */
export function bindOrganization({ oidc }: KoaContextWithOIDC, organizationId: string | undefined): string[] {
  const { organization: _, roles: __, ...asked } = oidc.claims.id_token ?? {}
  if (organizationId === undefined) {
    if (oidc.claims.id_token) Object.assign(oidc.claims, { id_token: asked })
    return []
  }
  const bound = { organization: { value: organizationId }, roles: null }
  Object.assign(oidc.claims, { id_token: { ...asked, ...bound } })
  return Object.keys(bound)
}

/** Where it stands in the payload of a stored code or token. */
export const organizationOfToken = ['claims', 'id_token', 'organization', 'value']

/** The organisation that a code or token is bound to. */
export function boundOrganization(token: object | undefined): string | undefined {
  const { claims, extra } = (token ?? {}) as {
    claims?: { id_token?: { organization?: { value?: unknown } | null } }
    // Of a token for an API.
    extra?: { organization?: { id?: unknown } }
  }
  const value = claims?.id_token?.organization?.value ?? extra?.organization?.id
  return typeof value === 'string' ? value : undefined
}

const cookiePath = '/oidc/auth'

/** What this browser remembers for services: the organisation that the launcher has just opened, and the last one. */
function organizationCookies({ baseUrl }: Pick<Config, 'baseUrl'>) {
  const prefix = baseUrl.startsWith('https:') ? '__Secure-' : ''
  return { launched: `${prefix}launched_organization`, last: `${prefix}last_organization` }
}

const cookieOptions = ({ baseUrl }: Pick<Config, 'baseUrl'>) =>
  ({ path: cookiePath, httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/** The cookie with which the launcher says for which organisation it opens a service; it counts for two minutes. */
export const launchedCookie = (config: Config, serviceId: string, organizationId: string) => ({
  name: organizationCookies(config).launched,
  value: `${serviceId}.${organizationId}`,
  options: { ...cookieOptions(config), maxAge: 120 },
})

/** Remembers the choice in this browser: it comes first the next time. */
export function rememberOrganization(ctx: KoaContextWithOIDC, config: Config, organizationId: string): void {
  const { last } = organizationCookies(config)
  const options = { ...cookieOptions(config), maxAge: 180 * 86_400_000, signed: false, overwrite: true }
  ctx.cookies.set(last, organizationId, options)
}
