import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { SignsIn } from './invitations.ts'

/** @returns whose way to sign in changed */
export async function followOrganization(db: Db, before: SignsIn, { loginMethod, samlConfigId }: SignsIn) {
  const { organizationId } = before
  const followers = await db
    .updateTable('users')
    .set({ loginMethod, samlConfigId, version: sql`version + 1` })
    .where('pending', '=', true)
    .where('superUser', '=', false)
    .where('loginMethod', '=', before.loginMethod)
    .where(sql<boolean>`saml_config_id is not distinct from ${before.samlConfigId}`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('invitations')
          .innerJoin('memberships', (join) =>
            join
              .onRef('memberships.accountId', '=', 'invitations.accountId')
              .onRef('memberships.organizationId', '=', 'invitations.organizationId'),
          )
          .select('invitationId')
          .whereRef('invitations.accountId', '=', 'users.accountId')
          .where('invitations.organizationId', '=', organizationId)
          .where('acceptedAt', 'is', null),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships')
            .select('memberships.accountId')
            .whereRef('memberships.accountId', '=', 'users.accountId')
            .where('memberships.organizationId', '<>', organizationId),
        ),
      ),
    )
    .returning(['accountId', 'email'])
    .execute()
  if (followers.length > 0)
    await db
      .updateTable('invitations')
      .set({ loginMethod })
      .where('organizationId', '=', organizationId)
      .where(
        'accountId',
        'in',
        followers.map(({ accountId }) => accountId),
      )
      .execute()
  return followers
}
