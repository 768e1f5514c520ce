import * as z from 'zod/mini'
import { message, optionalText } from './fields.ts'

const day = z.iso.date(message('invalidDate')).check(z.refine((date) => date >= '2000-01-01', message('invalidDate')))

/** A day in Sweden, or none. An empty field is null. */
export const optionalDay = z.pipe(optionalText(10), z.nullable(day))

/** First and last day of something that gives access, both included. What is left out stays. */
export const period = { validFrom: z.optional(optionalDay), validUntil: z.optional(optionalDay) }
/** Those of the admin role within a membership. */
export const rolePeriod = { roleFrom: z.optional(optionalDay), roleUntil: z.optional(optionalDay) }

const answered = z.nullable(z.string())
/** As they are answered: null is without an end, or from the beginning. */
export const knownPeriod = { validFrom: answered, validUntil: answered }
export const knownRolePeriod = { roleFrom: answered, roleUntil: answered }

/** The days of a membership or a service, as they are sent or known. */
export interface Period {
  validFrom?: string | null | undefined
  validUntil?: string | null | undefined
}
/** The days of an admin role, likewise. */
export interface RolePeriod {
  roleFrom?: string | null | undefined
  roleUntil?: string | null | undefined
}

const ordered = (first: string | null | undefined, last: string | null | undefined) => !first || !last || last >= first

/** The last day of each period is not before the first. */
export const endsAfterBegin = z.refine<Period & RolePeriod>(
  ({ validFrom, validUntil }) => ordered(validFrom, validUntil),
  { error: message('endsBeforeStart'), path: ['validUntil'] },
)
export const roleEndsAfterBegin = z.refine<RolePeriod>(({ roleFrom, roleUntil }) => ordered(roleFrom, roleUntil), {
  error: message('endsBeforeStart'),
  path: ['roleUntil'],
})
