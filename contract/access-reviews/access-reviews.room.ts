import { type Actor, belongsTo, mayAtHome, mayEverywhere } from '#contract/actor.ts'

export const permissions = {
  /** The page of the own organisation; the calls ask for `readReviews` or `decideReviews`. */
  reviewAccess: (actor: Actor) => mayAtHome(actor, 'readReviews'),
  /** The open reviews of all organisations. */
  listAccessReviews: (actor: Actor) => mayEverywhere(actor, 'readReviews'),
  /** Members may be asked for a part: what that is, the handler looks up; who reads reviews everywhere sees all. */
  takePartInReview: (actor: Actor, target?: { organizationId: string }) =>
    mayEverywhere(actor, 'readReviews') ||
    (target ? belongsTo(actor, target.organizationId) : actor.organizations.length > 0),
}

export const auditEvents = [
  'startAccessReview',
  'decideAccessReview',
  'finishAccessReview',
  'exportAccessReview',
  'askAccessReviewer',
  'dismissAccessReviewer',
  'remindAccessReview',
] as const

export const screens = ['/access-review', '/access-reviews', '/access-reviews/{organizationId}'] as const
