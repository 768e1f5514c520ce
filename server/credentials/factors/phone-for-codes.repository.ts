import { sql } from 'kysely'

/** The phone number of the account `u` that codes are sent to: the owner's word, and nobody else's. */
export const phoneForCodes = sql<string | null>`case when u.phone_claim is null then u.phone_number end`
