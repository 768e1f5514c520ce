import type { LoginMethod } from '#contract/roles.ts'
import { newId } from '#server/platform/ids.ts'
import { prepareSsnColumns } from '#server/platform/secrets/ssn.ts'
import type { DemoLoad } from './demo-load.ts'
import { type DemoPerson, emailOf } from './demo-people.ts'
import { testPersonalNumber } from './test-personal-number.ts'

const day = 24 * 60 * 60 * 1000

interface How {
  loginMethod: LoginMethod
  mailDomain?: string
  superUser?: boolean
}

/** Adds a person with the organisation's login method, as if they had accepted an invitation by mail. */
export async function addPerson(load: DemoLoad, person: DemoPerson, how: How) {
  const { db, now, system, passwordHash, samlConfigId } = load
  const { loginMethod, mailDomain = '', superUser = false } = how
  const accountId = newId()
  const email = emailOf(person, mailDomain)
  const hasPassword = loginMethod === 'local' || loginMethod === 'local2FA'
  const seen = new Date(now.getTime() - (person.lastSeen ?? 30) * day)
  await db
    .insertInto('users')
    .values({
      accountId,
      email,
      firstName: person.firstName,
      lastName: person.lastName,
      ...(await prepareSsnColumns(db, system.keys, {
        accountId,
        ssn: person.born ? testPersonalNumber(person.born) : null,
      })),
      phoneNumber: person.phoneNumber ?? null,
      preferredLanguage: person.preferredLanguage ?? null,
      loginMethod,
      samlConfigId: loginMethod === 'saml' ? samlConfigId : null,
      superUser,
      emailProof: 'mailedLink',
      emailProvenAt: now,
      passwordHash: hasPassword ? passwordHash : null,
      lastLogin: seen,
      lastActive: seen,
    })
    .execute()
  return { accountId, email }
}
