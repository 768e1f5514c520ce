import { applyGroupRules } from '#server/accounts/group-rules.ts'
import type { Person } from '#server/credentials/people.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { allSsnIndexes } from '#server/platform/secrets/ssn.ts'
import type { Claims } from '#server/saml/claims.ts'
import { findAssertedPerson, findSamlAccess } from './asserted-person.repository.ts'
import type { KnownRequest } from './company-request.repository.ts'
import { issueCompanyTicket } from './company-ticket.ts'
import { createPerson } from './create-person.ts'
import { PersonRefusal } from './person-refusal.ts'
import { recordCompanySignIn } from './record-company-sign-in.repository.ts'

type Context = Pick<RequestContext, 'db' | 'keys' | 'now' | 'http' | 'limits' | 'transact'>

/** The person whom an answer names, and the address whose account or sign-in it is. */
export interface Named {
  person: Person
  email: string
}

/**
 * Issues a ticket for the person whom a verified answer names, if the configuration may sign them in. Creates their account
 * where the organisation wants that.
 *
 * @param useUp consumes the answer; throws if it was consumed before
 * @returns where the browser that began the sign-in completes it
 * @throws Refusal for any other person
 */
export async function admitPerson(
  context: Context,
  { samlConfigId, uid, forceAuthn: again }: KnownRequest,
  claims: Claims,
  useUp: (trx: Db, about: Named) => Promise<void> = async () => undefined,
): Promise<string> {
  const { db, keys, now, http, transact } = context
  const find = () => findAssertedPerson(db, keys, samlConfigId, claims)
  const known = await find()
  const created = !known && (await createPerson(context, samlConfigId, claims))
  const person = known ?? (await find())
  const detail = claims.ignored?.join('; ')
  const about = { person, email: person?.email ?? claims.emails[0] }
  if (!person) throw new PersonRefusal('the configuration has no such person', 'unknownPerson', about, 'samlRefused')
  const { allowed, active, assertsNumbers } = await findSamlAccess(db, samlConfigId, person)
  if (!allowed)
    throw new PersonRefusal('the configuration may not sign this account in', 'notAllowed', about, 'samlRefused')
  if (!active) throw new PersonRefusal('the configuration is switched off', 'switchedOff', about, 'samlRefused')
  if (!person.active && !person.awaited)
    throw new PersonRefusal('the person is passive', 'passive', about, 'samlRefused')
  const ssnIndexes =
    assertsNumbers && claims.ssn ? allSsnIndexes(keys, claims.ssn).map((index) => index.toString('hex')) : undefined
  const ticket = await transact(async (trx, audit) => {
    await useUp(trx, { person, email: person.email })
    await applyGroupRules(trx, audit, { samlConfigId, person, attributes: claims.attributes, unsaid: claims.unsaid })
    await recordCompanySignIn(trx, {
      samlConfigId,
      now,
      email: person.email,
      created,
      detail,
      reference: http.request.id,
    })
    return issueCompanyTicket(trx, now, { uid, samlConfigId, again, person, ssnIndexes })
  })
  return `/interaction/${uid}/saml/complete?${new URLSearchParams({ ticket })}`
}
