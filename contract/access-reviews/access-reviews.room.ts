import { type Actor, administersAny } from '#contract/actor.ts'

export const permissions = {
  /** The page, which is about the own organisation; the calls ask for `administerOrganization`. */
  reviewAccess: (actor: Actor) => administersAny(actor),
}

export const auditEvents = [
  'startAccessReview',
  'decideAccessReview',
  'finishAccessReview',
  'exportAccessReview',
] as const

export const screens = ['/access-review'] as const
