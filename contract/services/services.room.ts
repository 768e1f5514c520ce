import { type Actor, mayEverywhere, superUsers } from '#contract/actor.ts'

export const permissions = {
  manageServices: superUsers,
  /** What the services are, and how many people have each; never how they sign in, or their secrets. */
  readServices: (actor: Actor) => mayEverywhere(actor, 'readSettings'),
}

export const auditEvents = ['createService', 'deleteService', 'updateService', 'orderServiceCategories'] as const

export const screens = [
  '/services',
  '/services/create',
  '/services/order',
  '/services/{serviceId}',
  '/services/{serviceId}/sign-in',
] as const
