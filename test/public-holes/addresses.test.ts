import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite } from '#test/invitations.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { callback, servicesOf, signedOut } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { unlimited } from '#test/unlimited.ts'

// docs/public-holes.md: addresses that a check and a browser read differently.

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let root: Client
beforeAll(async () => {
  portal = await testApp({ ...unlimited, OUTGOING_ALLOW: '' })
  services = servicesOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal.close())

/** Addresses that one parser or another takes for the registered one. */
const likeIt = (own: string) => {
  const { host, pathname } = new URL(own)
  return [
    `https://${host}@evil.example${pathname}`,
    `https://a@b@${host}${pathname}`,
    `https://evil.example\\@${host}${pathname}`,
    `https://${host}.evil.example${pathname}`,
    `https://evil${host}${pathname}`,
    `https://${host.replace('.', 'x')}${pathname}`,
    `https://${host}:8443${pathname}`,
    `https://${host}${pathname}/..;/evil`,
    `https://${host}${pathname}/../../evil`,
    `https://${host}${pathname}%2e%2e`,
    `https://${host}${pathname};x`,
    `https://${host}${pathname}?x=1`,
    `https://${host}${pathname}#x`,
    `${own}\t`,
    ` ${own}`,
    `${own}\n`,
    own.toUpperCase(),
    own.replace('https:', 'http:'),
    own.replace('https://', '//'),
    `javascript:alert('${own}')`,
  ]
}

test('a sign-in leads to exactly a registered address', async () => {
  const clientId = await services.register()
  const browser = await portal.signedIn(await portal.person())
  for (const address of likeIt(callback)) {
    const { statusCode, headers } = await browser.get(services.requestFor(clientId, { redirect_uri: address }))
    expect([statusCode, headers.location], JSON.stringify(address)).toEqual([400, undefined])
  }
})

test('a sign-out leads to exactly a registered address', async () => {
  const clientId = await services.register()
  const { browser, tokens } = await services.signInTo(clientId, await portal.person())
  for (const address of likeIt(signedOut)) {
    const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: address }
    const { statusCode, headers } = await browser.get(`/oidc/session/end?${new URLSearchParams(hint)}`)
    expect([statusCode, headers.location], JSON.stringify(address)).toEqual([400, undefined])
  }
  for (const query of ['returnTo', 'post_logout_redirect_uri', 'RelayState', 'next', 'company', 'url'])
    for (const path of ['/signed-out', '/logout']) {
      const page = await browser.get(`${path}?${query}=https://evil.example/`, { accept: 'text/html' })
      expect([page.headers.location, page.headers.refresh], path).toEqual([undefined, undefined])
      expect(page.body).not.toContain('evil.example')
    }
})

describe('no form takes for a web address', () => {
  const key = selfSigned({ name: 'evil.example' })
  const client = { kind: 'web', redirectUris: [callback] }
  const saml = { name: 'Evil', url: 'https://idp.evil.example/sso', certificate: key.certificate }
  const company = { ...saml, domain: 'https://evil.example' }
  const oidc = { name: 'Evil', domain: 'https://evil.example', clientId: 'x', clientSecret: 'x'.repeat(32) }
  const post = (path: string) => (form: object) => root.post(path, form)
  const put = async (form: object) => {
    const { serviceId } = await portal.service()
    return root.put(`/api/services/${serviceId}/client`, form)
  }
  /** Every field with an address that browsers or the portal go to. */
  const forms: [string, (form: object) => ReturnType<Client['post']>, object, string][] = [
    ['a service', post('/api/services'), { name: 'Evil' }, 'url'],
    ['a client, to come back to', put, client, 'redirectUris'],
    ['a client, after a sign-out', put, client, 'postLogoutRedirectUris'],
    ['a client, by the back channel', put, client, 'backchannelLogoutUri'],
    ['a client, by the front channel', put, client, 'frontchannelLogoutUri'],
    ['a client, to begin at', put, client, 'initiateLoginUri'],
    ['a client, of its keys', put, { ...client, authentication: 'private_key_jwt' }, 'jwksUri'],
    ['an identity provider', post('/api/saml-configs'), company, 'url'],
    ['an identity provider, to sign out', post('/api/saml-configs'), company, 'logoutUrl'],
    [
      'an identity provider, for answers',
      post('/api/saml-configs'),
      { ...company, logoutUrl: saml.url },
      'logoutResponseUrl',
    ],
    ['an OpenID Provider', post('/api/oidc-configs'), oidc, 'url'],
    ['a stream', post('/api/audit-streams'), {}, 'url'],
  ]
  test.each(forms)('of %s a script, data or what only looks like one', async (_, save, form, field) => {
    const many = field.endsWith('Uris')
    const bad = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', '\njavascript:alert(1)', 'java\tscript:alert(1)']
    bad.push('data:text/html,<script>alert(1)</script>', 'vbscript:x', 'file:///etc/passwd', 'blob:https://a.example/x')
    bad.push('https://a:b@evil.example/', 'https:evil', '//evil.example/', '/\\evil.example')
    for (const address of bad) {
      const { statusCode, body } = await save({ ...form, [field]: many ? [address] : address })
      expect([statusCode, body.includes(`"${field}`)], `${JSON.stringify(address)} ${body}`).toEqual([422, true])
    }
  })

  test('and no recipient that a mail program takes for another or for several', async () => {
    const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin()
    const bad = [
      '"eva@evil.example"@acme.example',
      'group:eva@a.example;b@acme.example',
      'eva@evil.example,b@acme.example',
    ]
    bad.push('eva@evil.example b@acme.example', '<eva@evil.example>b@acme.example', 'eva(@evil.example)@acme.example')
    bad.push(
      'eva@evil.example\r\nBcc: b@acme.example',
      '=?utf-8?q?eva=40evil.example=3e?=@acme.example',
      'eva@[127.0.0.1]',
    )
    for (const email of bad) {
      const answers = [
        await invite(browser, organizationId, email),
        await portal.browser().post('/api/initiate-password-reset', { email }),
        await root.post('/api/users', {
          email,
          firstName: 'E',
          lastName: 'E',
          loginMethod: 'local',
          organizations: [],
        }),
      ]
      for (const { statusCode } of answers) expect(statusCode, email).toBe(422)
    }
    const sent = await portal.system.db.selectFrom('outboxMessages').select('recipient').execute()
    expect(sent.filter(({ recipient }) => recipient.includes('evil'))).toEqual([])
  })
})
