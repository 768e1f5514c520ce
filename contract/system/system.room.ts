import { superUsers } from '#contract/actor.ts'

export const permissions = { readSystem: superUsers }

export const auditEvents = ['resendMessage'] as const

export const screens = ['/system'] as const
