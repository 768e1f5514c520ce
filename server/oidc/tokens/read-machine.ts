import { sql } from 'kysely'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { Machine, ReadMachine, System } from '#server/platform/system.ts'
import { directoryScope } from '../clients.adapter.ts'
import { hashId } from '../hash-id.ts'

/** Reads the token that a service has got for itself. It counts as long as the client has the right, and is for no API. */
export function createReadMachine({ db, clock }: System): ReadMachine {
  return async (request) => {
    const token = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!token) return undefined
    const statement = sql<Machine>`
      select c.client_id as "clientId", s.service_id as "serviceId", s.name as "serviceName"
      from provider_artifacts a join clients c on c.client_id = a.payload ->> 'clientId'
        join services s on s.service_id = c.service_id
      where a.model = 'ClientCredentials' and a.id_hash = ${hashId(token)} and a.expires_at > ${clock()}
        and a.payload -> 'aud' is null and c.directory_access
        and ${directoryScope} = any (string_to_array(a.payload ->> 'scope', ' '))`
    return (await executePrepared(db, statement).catch(translateDatabaseError)).rows[0]
  }
}
