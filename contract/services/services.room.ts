import { superUsers } from '#contract/actor.ts'

export const permissions = { manageServices: superUsers }

export const auditEvents = ['createService', 'deleteService', 'updateService', 'orderServiceCategories'] as const

export const screens = [
  '/services',
  '/services/create',
  '/services/order',
  '/services/{serviceId}',
  '/services/{serviceId}/sign-in',
] as const
