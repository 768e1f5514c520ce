import { superUsers } from './actor.ts'

export const permissions = { manageServices: superUsers }

export const auditEvents = ['createService', 'deleteService', 'updateService'] as const

export const screens = ['/services', '/services/create', '/services/{serviceId}'] as const
