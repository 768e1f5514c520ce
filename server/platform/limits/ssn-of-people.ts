import type { Actor } from '#contract/actor.ts'
import type { LimitKey } from './limits.ts'

/** An attempt at a personal number counts for the organisations of the person who tries, too. */
export const ssnOfPeople = ({ organizations }: Actor): LimitKey[] =>
  organizations.map(({ organizationId }) => ({ name: 'ssnOfPeople', key: organizationId }))
