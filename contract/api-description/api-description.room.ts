import { superUsers } from '#contract/actor.ts'

export const permissions = { readApiDescription: superUsers }
