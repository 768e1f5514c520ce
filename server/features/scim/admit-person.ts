import { type Language, languages } from '#contract/languages.ts'
import type { ScimDeed } from '#contract/scim/scim.ts'
import { type Acting, insertMemberships, joinDirectoryGroups } from '#server/accounts/directory-groups.ts'
import { giveServices } from '#server/accounts/first-services.repository.ts'
import {
  becomeMemberBy,
  findOpenInvitationTo,
  freeAddress,
  invitePeople,
  withdrawInvitation,
} from '#server/features/invitations/invitations.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { accountFields } from './account-fields.ts'
import { somebodyWaits } from './groups/scim-members.repository.ts'
import { canReturn, giveBack, keptOf } from './kept.repository.ts'
import { mayRestorePower, withoutPower } from './kept-power.repository.ts'
import { findPlace, insertAccount, type Place } from './place.repository.ts'
import type { Note } from './protocol/value.ts'
import { personOf } from './read-user.ts'
import { noteState, type ScimUser } from './scim-users.repository.ts'

/** What changing people needs. */
export interface Work {
  db: Db
  audit: (entry: AuditEntry) => void
  system: Pick<System, 'config' | 'keys' | 'outbox'>
  now: Date
  deeds: ScimDeed[]
  /** Who asks; nobody: the job. */
  acting?: (Acting & { tokenId: string | undefined }) | undefined
  notes: Note[]
  /** Who answers for the token may decide everything there; true for an admin, who asks in person. */
  stands: boolean
  /** The organisation may send another invitation in this hour; otherwise it waits. */
  mayInvite: boolean
}

/**
 * Makes somebody of the directory a member, or invites them (product-rules 15): whom the directory has ended before comes back
 * as they were; a new person in a proven domain is invited and accepted in one; everybody else is invited.
 */
export async function admitPerson(work: Work, user: ScimUser): Promise<void> {
  const { db, now, deeds, acting } = work
  const { scimUserId, organizationId, email } = user
  const place = found(await findPlace(db, { organizationId, email }, now))
  if (place.account?.isMember) return link(work, user, place.account)
  // What a token brings while nobody answers for it comes in when an admin has confirmed the token, and never without.
  const waitsFor = acting?.tokenId ?? null
  if (!work.stands) {
    await noteState(db, scimUserId, { waits: true, waitsFor })
    deeds.push('unconfirmed')
    return
  }
  if (await comeBack(work, user, place)) return
  await noteState(db, scimUserId, { accountId: null, kept: null })
  const isFree = !place.account || place.account.yields
  if (place.samlConfigId !== null && isFree && (await open(work, user, place, place.samlConfigId))) return
  await invite(work, user, place)
  await noteState(db, scimUserId, { waits: !work.mayInvite && !place.invitation, waitsFor })
  if (!work.mayInvite && !place.invitation) deeds.push('waits')
}

/** Somebody who is a member already is the directory's person from now on; who runs the portal is nobody's. */
async function link(
  { db, deeds, acting }: Work,
  { scimUserId, organizationId }: ScimUser,
  account: NonNullable<Place['account']>,
): Promise<void> {
  const accountId = account.operates ? null : account.accountId
  await noteState(db, scimUserId, { accountId, kept: null, waits: false })
  deeds.push(account.operates ? 'untouched' : 'linked')
  if (accountId === null) return
  await joinDirectoryGroups(db, { accountId, organizationId }, acting)
  await sayWhoWaits(db, deeds, { accountId, organizationId })
}

async function comeBack(work: Work, user: ScimUser, { organizationName }: Place): Promise<boolean> {
  const { db, audit, deeds, acting } = work
  const { scimUserId, organizationId, accountId, email } = user
  const kept = keptOf(user)
  if (!kept || accountId === null || !(await canReturn(db, { accountId, email }, kept))) return false
  const powerless = withoutPower(kept)
  const isLess = powerless && !(acting && (await mayRestorePower(db, organizationId, acting)))
  const back = isLess ? powerless : kept
  const { withoutSeat, roles, groups } = await giveBack(db, { accountId, organizationId }, { kept: back, acting })
  await noteState(db, scimUserId, { kept: null, waits: false })
  await withdrawInvitation(db, { email, organizationId })
  audit({
    name: 'restoreUser',
    target: { id: accountId, label: email },
    organizationIds: [organizationId],
    after: {
      ...{ organization: organizationName, userRole: back.userRole },
      ...(roles.length > 0 && { roles: roles.join(', ') }),
      ...(groups.length > 0 && { groups: groups.join(', ') }),
    },
  })
  deeds.push('restored')
  if (isLess) deeds.push('withoutPower')
  if (withoutSeat > 0) deeds.push('noSeat')
  else await sayWhoWaits(db, deeds, { accountId, organizationId })
  return true
}

/** Opens the account of a new person. Its address counts as proven at the first sign-in by the organisation's own sign-in. */
async function open(work: Work, user: ScimUser, place: Place, samlConfigId: number): Promise<boolean> {
  const { db, audit, system, now, deeds, notes, acting } = work
  const { scimUserId, organizationId, email } = user
  const { organizationName } = place
  const accountId = newId()
  const person = { ...accountFields(user, notes), preferredLanguage: languageOf(user) }
  await freeAddress({ db, keys: system.keys, audit }, { email, organizationId, successorId: accountId, now })
  if (!(await insertAccount(db, { accountId, email, ...person, samlConfigId, organizationId }))) return false
  const invitation = place.invitation && (await findOpenInvitationTo(db, { email, organizationId }, now))
  // What an admin has promised this person already is what they get.
  const given = invitation
    ? await becomeMemberBy({ ...system, acting }, db, { accountId, email, ...person }, invitation)
    : { organization: organizationName, ...(await join(work, { accountId, organizationId })) }
  await withdrawInvitation(db, { email, organizationId })
  await noteState(db, scimUserId, { accountId, kept: null, waits: false })
  audit({
    name: 'createUser',
    target: { id: accountId, label: email },
    organizationIds: [organizationId],
    after: { email, ...person, loginMethod: 'saml', samlConfigId, ...given },
  })
  deeds.push('opened')
  await sayWhoWaits(db, deeds, { accountId, organizationId })
  return true
}

/** What a group of the directory gives waits for a seat. */
async function sayWhoWaits(db: Db, deeds: ScimDeed[], { accountId, organizationId }: Member): Promise<void> {
  if (await somebodyWaits(db, organizationId, [accountId])) deeds.push('noSeat')
}

interface Member {
  accountId: string
  organizationId: string
}

async function join({ db, acting }: Work, member: Member) {
  await insertMemberships(db, [{ ...member, userRole: 'regular', entry: 'opened' }], acting)
  return giveServices(db, member)
}

/** Invites somebody outside the proven domains, or who has an account. The directory cannot tell which. */
async function invite(work: Work, user: ScimUser, { organizationName, invitation }: Place): Promise<void> {
  const { db, audit, system, now, deeds, notes } = work
  const { organizationId, email } = user
  if (invitation && !invitation.expired) {
    deeds.push('invited')
    return
  }
  if (!work.mayInvite) return
  if (invitation) await withdrawInvitation(db, { email, organizationId })
  const { firstName, lastName } = accountFields(user, notes)
  const invitee = { email, firstName, lastName, userRole: 'regular', services: [] } as const
  await invitePeople(system, db, audit, [{ ...invitee, validFrom: null, validUntil: null }], {
    organization: { organizationId, name: organizationName },
    inviter: null,
    message: null,
    language: languageOf(user) ?? 'sv',
    now,
  })
  deeds.push('invited')
}

const languageOf = (user: ScimUser): Language | null => {
  const written = personOf(user).language?.slice(0, 2).toLowerCase()
  return languages.find((one) => one === written) ?? null
}
