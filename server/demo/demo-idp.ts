import type { System } from '#server/platform/system.ts'
import { startIdp } from '../../simulators/saml-idp/idp.ts'
import type { IdpPerson } from '../../simulators/saml-idp/idp-pages.ts'
import { type DemoOrganization, demoOrganizations } from './demo-data.ts'
import { connectDemoDirectory } from './demo-directory.ts'
import { demoIdpAddress, demoIdpEntityId } from './demo-neighbours.ts'
import { emailOf } from './demo-people.ts'
import { testPersonalNumber } from './test-personal-number.ts'

/** Starts the identity provider of the demo's company, with its directory. */
export async function startDemoIdp(system: System): Promise<{ close(): Promise<void> }> {
  const { db, config, clock } = system
  const company = demoOrganizations.find(({ loginMethod }) => loginMethod === 'saml')
  const idp = await startIdp({
    organization: company?.name ?? '',
    people: company ? peopleOf(company) : [],
    directory: company && (await connectDemoDirectory(system, company)),
    entityId: demoIdpEntityId,
    portal: config.baseUrl,
    clock,
    port: config.demoIdpPort,
    host: config.host,
  })
  const url = demoIdpAddress(config, idp.port)
  await db
    .updateTable('samlConfigs')
    .set({ url })
    .where('entityId', '=', demoIdpEntityId)
    .where('url', '<>', url)
    .execute()
  return idp
}

const peopleOf = ({ people, mailDomain }: DemoOrganization): IdpPerson[] =>
  people
    .filter(({ invited }) => !invited)
    .map((person) => ({
      name: `${person.firstName} ${person.lastName}`,
      email: emailOf(person, mailDomain),
      ssn: person.born && testPersonalNumber(person.born),
    }))
