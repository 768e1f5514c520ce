import { sql } from 'kysely'
import { fallbackLanguage } from '#contract/languages.ts'
import { isLocal, type UserChange } from '#contract/user-forms.ts'
import type { User, users } from '#contract/users.ts'
import { mailMessage } from '#server/features/email-templates/email-templates.ts'
import { revokeResetLinks } from '#server/features/password-reset/password-reset.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Db } from '#server/platform/database.ts'
import type { Keys } from '#server/platform/keys.ts'
import { found } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { openSsn, ssnColumns } from '#server/platform/ssn.ts'
import { checkVersion } from '#server/platform/versioned.ts'
import { setAssignments, setMemberships } from './belongings.repository.ts'
import { forAudit, labelled, organizationIdsOf } from './user-audit.ts'
import { type PlannedChange, planChange, refuseOwnAccount } from './user-change.ts'
import { targetOf, userInSight } from './user-in-sight.ts'
import { lockUser, type StoredUser } from './users.repository.ts'

/** Changes a person. Another way to sign in, and super user taken away, end all their sessions at once. */
export async function updateUser(
  context: RequestContext<typeof users.update>,
  provider: MountedProvider,
): Promise<User> {
  const { input, keys, actor, now, transact } = context
  const { after, ended } = await transact(async (db, audit) => {
    const before = found(await lockUser(db, input.accountId))
    const target = targetOf(before)
    context.allow('readUser', target)
    context.require('updateUser', target)
    checkVersion(before, input.version)
    const oldSsn = before.ssnSealed && (await openSsn(keys, before.accountId, before.ssnSealed))
    const plan = planChange(actor, before, oldSsn, input)
    if (plan.managedDiffers) context.require('manageUsers')
    refuseOwnAccount(actor, before, plan)
    await write(db, keys, before, plan)
    await writeBelongings(db, before, input)
    await tellOwner(context, db, before, plan)
    // A link that was asked for while there was a password would give another one, should the method come back.
    if (plan.loginMethodDiffers) await revokeResetLinks(db, before.accountId, now)
    const stepsDown = before.superUser && !plan.fields.superUser
    const ended = plan.loginMethodDiffers || stepsDown ? await endAllSessions(db, before.accountId) : []
    const after = found(await lockUser(db, before.accountId))
    audit({
      name: 'updateUser',
      target: labelled(after),
      before: await forAudit(keys, before),
      after: await forAudit(keys, after),
      organizationIds: organizationIdsOf(before, after),
    })
    return { after, ended }
  })
  provider.tellServices(ended)
  return userInSight(keys, actor, after)
}

/** What an account could be taken over with does not change behind its owner's back. */
async function tellOwner(
  { outbox, now }: RequestContext<typeof users.update>,
  db: Db,
  { accountId, email, firstName, preferredLanguage, pending }: StoredUser,
  { ssnDiffers, phoneDiffers }: PlannedChange,
): Promise<void> {
  const changed = [...(ssnDiffers ? ['ssn' as const] : []), ...(phoneDiffers ? ['phoneNumber' as const] : [])]
  if (pending || changed.length === 0) return
  await outbox.mail(
    db,
    mailMessage({
      template: 'contact-changed',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, changed, byAdmin: true, at: now.toISOString() },
    }),
  )
}

async function write(db: Db, keys: Keys, { accountId }: StoredUser, plan: PlannedChange): Promise<void> {
  const { fields, loginMethodDiffers, ssnDiffers, ssn } = plan
  await db
    .updateTable('users')
    .set({
      ...fields,
      ...(ssnDiffers ? await ssnColumns(db, keys, { accountId, ssn }) : {}),
      ...(isLocal(fields.loginMethod) ? {} : { passwordHash: null, passwordMustChange: false }),
      // A super user is never passive.
      ...(fields.superUser ? { passiveAt: null } : {}),
      version: sql`version + 1`,
    })
    .where('accountId', '=', accountId)
    .execute()
  // From now on it is registered: whoever accepts cannot give another one.
  if (ssnDiffers)
    await db.updateTable('invitations').set({ ssnGiven: false }).where('accountId', '=', accountId).execute()
  // An invitation that is still open is accepted by the method that counts now.
  if (loginMethodDiffers)
    await db
      .updateTable('invitations')
      .set({ loginMethod: fields.loginMethod })
      .where('accountId', '=', accountId)
      .where('acceptedAt', 'is', null)
      .execute()
}

/** Only who manages users gets here with lists that differ, and that is who sees them all. */
async function writeBelongings(db: Db, before: StoredUser, { organizations, services }: UserChange): Promise<void> {
  const { accountId } = before
  if (organizations) await setMemberships(db, before, organizations)
  if (!services) return
  const kept = organizations && new Set(organizations.map((one) => one.organizationId))
  const present = kept ? before.services.filter((one) => kept.has(one.organizationId)) : before.services
  await setAssignments(db, { accountId, present, wanted: services })
}
