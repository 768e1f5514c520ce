import type { System } from '#server/platform/system.ts'
import { startIdp } from '../../simulators/saml-idp/idp.ts'
import type { IdpPerson } from '../../simulators/saml-idp/idp-pages.ts'
import { type DemoOrganization, demoOrganizations } from './demo-data.ts'
import { demoIdp, demoIdpAddress, portBeside } from './demo-idp-address.ts'
import { emailOf } from './demo-people.ts'
import { testPersonalNumber } from './test-personal-number.ts'

/** The identity provider of the demo's company, for as long as the portal runs. */
export async function startDemoIdp({ db, config, clock }: System): Promise<{ close(): Promise<void> }> {
  const company = demoOrganizations.find(({ loginMethod }) => loginMethod === 'saml')
  const idp = await startIdp({
    organization: company?.name ?? '',
    people: company ? peopleOf(company) : [],
    entityId: demoIdp,
    portal: config.baseUrl,
    clock,
    port: portBeside(config),
    host: config.host,
  })
  const url = demoIdpAddress(config, idp.port)
  await db.updateTable('samlConfigs').set({ url }).where('entityId', '=', demoIdp).where('url', '<>', url).execute()
  return idp
}

const peopleOf = ({ people, mailDomain }: DemoOrganization): IdpPerson[] =>
  people
    .filter(({ pending }) => !pending)
    .map((person) => ({
      name: `${person.firstName} ${person.lastName}`,
      email: emailOf(person, mailDomain),
      ssn: person.born && testPersonalNumber(person.born),
    }))
