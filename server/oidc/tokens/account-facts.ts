import { type RawBuilder, sql } from 'kysely'
import { isAddressProven } from '../address-proof.ts'
import { meetsFloor } from '../reach/sign-in-floor.ts'

interface At {
  serviceId: RawBuilder<unknown>
  /** As text: the only organisation that counts, or null. */
  bound: RawBuilder<unknown>
  /** Methods that were proven, a jsonb array. */
  amr: RawBuilder<unknown>
}

/** The columns of the account `u`. */
export const accountFacts = ({ serviceId, bound, amr }: At): RawBuilder<unknown> => sql`
  u.email, u.first_name as "firstName", u.last_name as "lastName", u.preferred_language as "preferredLanguage",
  u.phone_number as "phoneNumber", u.password_must_change or u.password_hash is not null
    and password_is_old(u.account_id, coalesce(u.password_changed_at, u.created_at)) as "passwordMustChange",
  ${isAddressProven} as "emailVerified", u.phone_proven_at is not null as "phoneVerified",
  exists (${organizationsWithService(serviceId)} and ${meetsFloor(amr)}
    and (${bound} is null or o.organization_id::text = ${bound})) as "hasService"`

/** Where the account `u` has this service; the caller narrows it. */
export const organizationsWithService = (serviceId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select o.organization_id as "organizationId" from current_assignments a
  join current_memberships m on m.account_id = a.account_id and m.organization_id = a.organization_id
  join organizations o on o.organization_id = a.organization_id
  where a.account_id = u.account_id and a.service_id = ${serviceId}`
