import { superUsers } from '#contract/actor.ts'

export const permissions = { manageEmailTemplates: superUsers }

export const auditEvents = ['updateEmailTemplate'] as const

export const screens = ['/email-templates'] as const
