import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that proven methods (a jsonb array, RFC 8176) meet the floor of a membership `m` of the account `u` in the
 * organisation `o` (product-rules 11.4). What the floor is says the function `meets_floor` of the database alone.
 */
export const meetsFloor = (amr: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  meets_floor(m.entry, o.require_login_method, o.login_method, o.saml_config_id, u.saml_config_id,
    floor_role(m.user_role, o.strong_admins_from, m.account_id, m.organization_id), o.second_factors, o.strong_admins_from, ${amr})`

/** The methods of the session that a token belongs to, or else of the browser's session. */
export const provenMethods = (
  token: { sessionUid?: string | undefined } | undefined,
  session: { amr?: string[] | undefined } | undefined,
): RawBuilder<unknown> =>
  token
    ? sql`(select coalesce(payload -> 'amr', '[]') from sessions where uid = ${token.sessionUid ?? null})`
    : sql`${JSON.stringify(session?.amr ?? [])}::jsonb`
