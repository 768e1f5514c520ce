import { superUsers } from './actor.ts'

export const permissions = { readApiDescription: superUsers }
