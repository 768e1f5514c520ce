// The public interface of this room: what other rooms may read of people, and how they give them a service.
import type { Db } from '#server/platform/database/database.ts'
import * as end from './end-user.ts'
import * as roles from './roles.repository.ts'
import * as services from './set-services.ts'

/** Who gets mails that concern the whole portal. */
export const listSuperUsers = (db: Db) =>
  db
    .selectFrom('users')
    .select(['accountId', 'email', 'firstName', 'preferredLanguage'])
    .where('superUser', '=', true)
    .where('pending', '=', false)
    .orderBy('accountId')
    .execute()

/** Ends an account whose address its user never proved, for the owner of the mailbox. */
export const giveAddressBack = end.giveAddressBack

/** A person's organisations, in Swedish alphabetical order. */
export const listMemberships = roles.listMemberships

/** A person's services in all organisations, in Swedish alphabetical order. */
export const listAssignments = roles.listAssignments

/**
 * Assigns a service to a member, with one audit event. The caller has checked that the actor may.
 *
 * @throws Problem 409 `serviceAlreadyAdded` or `noSeatsLeft`, 404 for somebody who is no member
 */
export const giveService = services.giveService

/** Removes one service from a member. */
export const withdrawService = services.withdrawService
