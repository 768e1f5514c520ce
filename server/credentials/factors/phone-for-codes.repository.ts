import { sql } from 'kysely'

/**
 * The phone number of the account `u` that codes are sent to, or null. What an admin entered gets none once the person has an app
 * or key: an organisation would bring a way around them.
 */
export const phoneForCodes = sql<string | null>`
  case when u.phone_claim is null or u.phone_claim = 'admin'
    and not exists (select from authenticator_apps where account_id = u.account_id)
    and not exists (
      select from passkeys where account_id = u.account_id and ended_at is null and (verified or not on_the_way))
    then u.phone_number end`
