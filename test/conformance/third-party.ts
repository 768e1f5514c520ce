import { expect } from 'vitest'
import { issuer, type RelyingParty } from '../relying-party.ts'
import { modulesOf } from './module.ts'

const web = { kind: 'web', redirectUris: ['https://journal.example/callback'] }

/** A super user saves the client of a service. */
async function save({ portal }: RelyingParty, initiateLoginUri: string) {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const service = await portal.service()
  const url = `/api/services/${service.serviceId}/client`
  const saved = await root.put(url, { ...web, initiateLoginUri })
  return { service, saved, stored: await root.get(url) }
}

/** The plan for sign-ins that begin at the provider. It registers clients by a protocol; here the form of a service does. */
export const thirdParty = modulesOf<RelyingParty>({
  'oidcc-3rd_party-init-login': {
    demands: 'the address is registered and told again, and the portal begins a sign-in there with `iss`',
    async check(party) {
      const { portal } = party
      const initiateLoginUri = 'https://journal.example/login?tenant=1'
      const { service, saved, stored } = await save(party, initiateLoginUri)
      expect([saved.statusCode, stored.json().initiateLoginUri]).toEqual([200, initiateLoginUri])
      const { organizationId } = await portal.organization()
      await portal.offer(organizationId, service.serviceId)
      const person = await portal.person()
      await portal.join(person.accountId, organizationId)
      await portal.assign(person.accountId, organizationId, service.serviceId)
      const { headers } = await (await portal.signedIn(person)).get(`/launch/${service.serviceId}`)
      const target = new URL(String(headers.location))
      expect(target.origin + target.pathname).toBe('https://journal.example/login')
      expect(Object.fromEntries(target.searchParams)).toEqual({
        tenant: '1',
        iss: issuer,
        target_link_uri: service.url,
      })
    },
  },
  'oidcc-3rd_party-init-login-nohttps': {
    demands: 'an address without https is refused',
    async check(party) {
      const { saved } = await save(party, 'http://journal.example/login')
      expect([saved.statusCode, saved.json().issues]).toEqual([
        422,
        [{ path: 'initiateLoginUri', message: 'clientAddressInsecure' }],
      ])
    },
  },
})
