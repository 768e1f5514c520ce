import { type RawBuilder, sql } from 'kysely'
import { allMethods, type Method } from '#contract/sign-in-methods.ts'
import { companyList, localList } from '#server/platform/database/method-lists.ts'

/**
 * The condition that proven methods (a jsonb array, RFC 8176) meet the floor of a membership `m` of the account `u` in the
 * organisation `o` (product-rules 11.4). What the floor is says the function `meets_floor` of the database alone.
 */
export const meetsFloor = (amr: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  meets_floor(m.entry, o.require_login_method, o.login_method, o.saml_config_id, u.saml_config_id,
    floor_role(m.user_role, o.strong_admins_from, m.account_id, m.organization_id), o.second_factors, o.strong_admins_from, ${amr})`

const condition: Record<Method['askedOf'], RawBuilder<boolean>> = {
  everybody: sql`true`,
  password: sql`u.login_method in (${localList})`,
  number: sql`u.ssn_sealed is not null`,
  company: sql`u.login_method in (${companyList})`,
}
const namesOf = (askedOf: Method['askedOf']) => [
  ...new Set(allMethods.flatMap(([, method]) => (method.askedOf === askedOf ? method.amr : []))),
]

/** What the strongest session of the account `u` can prove: what each method adds that can be asked of it. */
export const provable: RawBuilder<unknown> = sql`(${sql.join(
  (Object.keys(condition) as Method['askedOf'][]).map(
    (of) => sql`case when ${condition[of]} then ${JSON.stringify(namesOf(of))}::jsonb else '[]' end`,
  ),
  sql` || `,
)})`

/** The methods of the session that a token belongs to, or else of the browser's session. */
export const provenMethods = (
  token: { sessionUid?: string | undefined } | undefined,
  session: { amr?: string[] | undefined } | undefined,
): RawBuilder<unknown> =>
  token
    ? sql`(select coalesce(payload -> 'amr', '[]') from sessions where uid = ${token.sessionUid ?? null})`
    : sql`${JSON.stringify(session?.amr ?? [])}::jsonb`
