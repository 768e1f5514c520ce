import { fallbackLanguage } from '#contract/languages.ts'
import { asksForTwo, needsNumber } from '#contract/login-methods.ts'
import { ownFields, type ProfileChange, type profile } from '#contract/profile/profile.ts'
import type { CurrentUser } from '#contract/session/session.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { hasOnlyPassword, hasSecondProof, requireSecondProof } from '#server/credentials/fresh-proof/fresh-proof.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { proveOwnPassword } from '#server/credentials/own-password.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { methodFromAmr } from '#server/oidc/sign-in-method.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { ssnOfPeople } from '#server/platform/limits/ssn-of-people.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { ssnColumns, unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { SessionUser } from '#server/platform/system.ts'
import { findOwnForUpdate, updateOwn } from './profile.repository.ts'

type Context = RequestContext<typeof profile.update>

/** Fields that an attacker could use to take the account over. */
const sensitive = ['ssn', 'phoneNumber'] as const
type Editable = Pick<CurrentUser, keyof typeof ownFields.shape>
const editable = Object.keys(ownFields.shape) as (keyof Editable)[]

/** Changes the user's own account, and notifies the user by mail of a sensitive change. */
export async function updateProfile(context: Context): Promise<CurrentUser> {
  const { db, input, session, keys, limits, now, outbox } = context
  refuseFixed(input, session.user)
  const present = await withSsn(keys, session.user)
  const { mustEnrol, portalRole } = session.user
  const ofSession = { signedInWith: methodFromAmr(session.amr), mustEnrol, portalRole }
  const wanted = differences(present, input)
  refuseNewProof(session, wanted)
  // The password is a proof of this request, and enough for who has no more; others prove the rest before.
  const repeated = repeatedBySecondProof(context)
  const asksPassword = isSensitive([...wanted, ...repeated])
  const hasMore = asksPassword && !(await hasOnlyPassword(db, session.user, context.config.passkeyRpId))
  context.requireFreshProof(isSensitive(wanted) && hasMore)
  const proof = asksPassword ? await prove(context) : undefined
  const attempts = [{ name: 'ownSsn', key: session.user.accountId } as const, ...ssnOfPeople(session.actor)]
  if (wanted.includes('ssn') && input.ssn) await limits.take(db, attempts, now)

  return context.transact(async (db, audit) => {
    const row = found(await findOwnForUpdate(db, session.user.accountId))
    checkVersion(row, input.version)
    const before = await withSsn(keys, row)
    const claims = { ssn: row.ssnClaim, phoneNumber: row.phoneClaim }
    const confirmed = repeated.filter((name) => claims[name] !== null && before[name] === input[name])
    context.requireFreshProof(confirmed.length > 0 && hasMore)
    const changed = [...differences(before, input), ...confirmed]
    if (changed.length === 0) return { ...row, ...before, ...ofSession }
    // The password proves the mailbox alone, which would be rid of what is stronger.
    const confirmedBefore = changed.filter(
      (name) => name in claims && before[name] && !confirmed.some((one) => one === name),
    )
    if (row.passwordFromMail && confirmedBefore.some((name) => claims[name as keyof typeof claims] === null))
      requireSecondProof(session, now)
    // The row or the password may have changed while the password was checked.
    if (isSensitive(changed) && !proof?.holdsFor(row)) throw new Problem(403, 'reauthenticationRequired')

    const { ssn, ...plain } = Object.fromEntries(changed.map((name) => [name, input[name]])) as Partial<Editable>
    // What comes after a password alone is no second factor: a stolen one would bring its own.
    const claim = hasSecondProof(session, now) ? null : ('password' as const)
    // What has proven the number stays with it.
    const columns = confirmed.includes('ssn') ? {} : ssnColumns(keys, { accountId: row.accountId, ssn: ssn ?? null })
    const number = ssn === undefined ? {} : { ...columns, ssnClaim: claim, ssnEnteredAt: now }
    const phone = plain.phoneNumber === undefined ? {} : { phoneClaim: claim, phoneEnteredAt: now }
    const updated = await updateOwn(db, row.accountId, { ...plain, ...phone, ...number })
    const after = await withSsn(keys, updated)
    audit({
      name: 'updateUser',
      target: { id: row.accountId, label: row.email },
      before: only(before, changed),
      after: only(after, changed),
    })
    const told = sensitive.filter((name) => changed.includes(name))
    if (told.length > 0) {
      const values = { firstName: before.firstName, changed: told, byAdmin: false, at: now.toISOString() }
      await outbox.mail(
        db,
        mailMessage({
          template: 'contact-changed',
          to: { address: row.email, accountId: row.accountId },
          language: after.preferredLanguage ?? fallbackLanguage,
          values: { ...values, link: await notMeLink(context, db, row.accountId) },
        }),
      )
    }
    return { ...updated, ...after, ...ofSession }
  })
}

/**
 * Numbers that were the word of a password alone, or of an admin, become the person's own where they are sent once more with the
 * password and a second proof.
 */
function repeatedBySecondProof({ input, session, now }: Context): (typeof sensitive)[number][] {
  if (input.currentPassword === undefined || !hasSecondProof(session, now)) return []
  return sensitive.filter((name) => input[name] && !unchangeable(session).some((one) => one === name))
}

/** A client may also send the address and the login method, but they must be unchanged. */
function refuseFixed({ email, loginMethod, ssn }: ProfileChange, user: SessionUser): void {
  const refuse = (path: string, message: 'emailNotEditable' | 'loginMethodNotEditable' | 'requiredWithBankId') => {
    throw new Problem(422, 'validationFailed', { issues: [{ path, message }] })
  }
  if (email !== undefined && email !== user.email) refuse('email', 'emailNotEditable')
  if (loginMethod !== undefined && loginMethod !== user.loginMethod) refuse('loginMethod', 'loginMethodNotEditable')
  if (ssn === null && needsNumber(user.loginMethod)) refuse('ssn', 'requiredWithBankId')
}

/**
 * Who cannot meet the floor of an organisation must not change what would prove it: a stolen password would bring its
 * own phone or BankID.
 */
function refuseNewProof(session: Context['session'], wanted: readonly (keyof Editable)[]): void {
  if (unchangeable(session).some((name) => wanted.includes(name))) throw new Problem(403, 'strongerSignInRequired')
}
function unchangeable({ heldBack }: Context['session']): readonly (typeof sensitive)[number][] {
  const needs = heldBack.organizations.map((one) => one.needs)
  return needs.some(asksForTwo) ? sensitive : needs.some(needsNumber) ? ['ssn'] : []
}

/**
 * Requires the password too, of users who have one.
 *
 * @throws Problem 403 `reauthenticationRequired`, or what a wrong password throws
 */
async function prove(context: Context): Promise<{ holdsFor(row: { passwordHash: string | null }): boolean }> {
  const { input, session } = context
  if (isLocal(session.user.loginMethod)) {
    if (input.currentPassword === undefined) throw new Problem(403, 'reauthenticationRequired')
    const checkedHash = await proveOwnPassword(context, input.currentPassword)
    return { holdsFor: (row) => row.passwordHash === checkedHash }
  }
  return { holdsFor: () => true }
}

type Numbered = Pick<SessionUser, 'accountId' | 'ssnSealed' | 'ssnProof'>
const withSsn = async <Row extends Numbered>(keys: Keys, row: Row) => ({
  ...row,
  ssnConfirmed: row.ssnSealed && row.ssnProof !== null,
  ssn: row.ssnSealed ? await unsealSsn(keys, row.accountId, row.ssnSealed) : null,
})

const differences = (present: Editable, input: ProfileChange) =>
  editable.filter((name) => input[name] !== undefined && input[name] !== present[name])

const isSensitive = (changed: readonly (keyof Editable)[]) => sensitive.some((name) => changed.includes(name))

const only = (user: Editable, names: readonly (keyof Editable)[]) =>
  Object.fromEntries(names.map((name) => [name, user[name]]))
