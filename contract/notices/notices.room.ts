import { superUsers } from '#contract/actor.ts'

export const permissions = { manageNotices: superUsers }

export const auditEvents = ['createNotice', 'updateNotice', 'deleteNotice'] as const

export const screens = ['/notices', '/notices/create', '/notices/{noticeId}'] as const
