import * as z from 'zod/mini'
import { message, optionalText } from './fields.ts'

const dayOr = (problem: 'invalidDate' | 'unclearDay') =>
  z.iso.date(message(problem)).check(z.refine((date) => !/^[01]\d{3}-/.test(date), message(problem)))
const day = dayOr('invalidDate')

/** A day in Sweden, or none. An empty field is null. */
export const optionalDay = z.pipe(optionalText(10), z.nullable(day))

/** First and last day of something that gives access, both included. What is left out stays. */
export const period = { validFrom: z.optional(optionalDay), validUntil: z.optional(optionalDay) }
/** The same in a list of people, where nobody chose a day in a calendar: the message says how to write it. */
const listedDay = z.nullable(dayOr('unclearDay'))
export const listedPeriod = { validFrom: z.optional(listedDay), validUntil: z.optional(listedDay) }
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
