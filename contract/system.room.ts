import { superUsers } from './actor.ts'

export const permissions = { readSystem: superUsers }

export const screens = ['/system'] as const
