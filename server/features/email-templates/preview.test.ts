import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailTemplateTypes } from '#contract/email-templates/email-templates.ts'
import { languages } from '#contract/roles.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let superUser: Client
beforeAll(async () => {
  portal = await testApp()
  const person = await portal.person({ superUser: true, firstName: 'Ärla', preferredLanguage: 'fi' })
  superUser = await portal.signedIn(person)
})
afterAll(() => portal.close())

const preview = (client: Client, type: string, query = '') => client.get(`/api/email-templates/${type}${query}`)

describe.each(emailTemplateTypes)('the template %s', (type) => {
  it.each(languages)('is shown to a super user in %s', async (language) => {
    const { statusCode, headers, body } = await preview(superUser, type, `?language=${language}`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain(`<html lang="${language}">`)
    expect(body).not.toMatch(/\{\{|undefined/)
  })

  it("is shown in the super user's language unless another is requested", async () => {
    expect((await preview(superUser, type)).body).toContain('<html lang="fi">')
  })
})

describe('the preview', () => {
  it('may run and fetch nothing, and be framed only by our own pages', async () => {
    const { headers } = await preview(superUser, 'login-code')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
    )
    expect(headers['x-frame-options']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
  })

  it('is addressed to the super user who looks at it', async () => {
    expect((await preview(superUser, 'login-code')).body).toContain('Hei Ärla!')
  })

  it.each(['nothing', 'password-changed', '..%2f', 'toString'])('knows no template %s', async (type) => {
    expect((await preview(superUser, type)).statusCode).toBe(404)
  })

  it('refuses a language that the portal does not speak', async () => {
    const answer = await preview(superUser, 'login-code', '?language=de')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ issues: [{ path: 'language' }] })
  })

  it('is closed to an organisation admin and to strangers', async () => {
    const admin = await portal.person()
    const { organizationId } = await portal.organization()
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    expect((await preview(await portal.signedIn(admin), 'login-code')).statusCode).toBe(403)
    expect((await preview(portal.browser(), 'login-code')).statusCode).toBe(401)
    expect((await (await portal.signedIn(admin)).post('/api/email-templates/login-code/test', {})).statusCode).toBe(403)
  })
})

describe('the text of a preview', () => {
  it('has the subject and the plain text of the same mail', async () => {
    const answer = await superUser.get('/api/email-templates/login-code/text?language=en')
    expect(answer.statusCode).toBe(200)
    const { subject, text } = answer.json()
    expect(subject).toBe('Your sign-in code')
    expect(text).toContain('Hello Ärla')
    expect(text).toContain('    123456\n')
    expect(text).not.toContain('<')
  })

  it("is in the super user's language unless another is requested", async () => {
    expect((await superUser.get('/api/email-templates/login-code/text')).json().text).toContain('Hei Ärla!')
  })
})

describe('a test mail', () => {
  const reader = async () => {
    const person = await portal.person({ superUser: true, preferredLanguage: 'fi' })
    return { ...person, client: await portal.signedIn(person) }
  }
  const test = (client: Client, type: string, body: object = {}, headers = {}) =>
    client.post(`/api/email-templates/${type}/test`, body, headers)
  const events = async () =>
    Number((await portal.system.pool.query('select count(*) as count from audit_events')).rows[0].count)

  it.each(emailTemplateTypes)(
    '%s goes to the address of the super user alone, without an audit event',
    async (type) => {
      const { email, client } = await reader()
      const before = await events()
      expect((await test(client, type, { language: 'en' })).statusCode).toBe(204)
      expect(await outboxOf(portal).messagesTo(email)).toMatchObject([{ kind: 'mail', template: type, language: 'en' }])
      expect(await events()).toBe(before)
    },
  )

  it("is in the super user's language unless another is requested", async () => {
    const { email, client } = await reader()
    await test(client, 'login-code')
    expect(await outboxOf(portal).messagesTo(email)).toMatchObject([{ language: 'fi' }])
  })

  it('is sent once when the request is repeated with the same key', async () => {
    const { email, client } = await reader()
    const key = { 'idempotency-key': 'once-only' }
    for (const status of [204, 204]) expect((await test(client, 'login-code', {}, key)).statusCode).toBe(status)
    expect(await outboxOf(portal).messagesTo(email)).toHaveLength(1)
  })

  it('takes no address from the request', async () => {
    const { client } = await reader()
    expect((await test(client, 'login-code', { to: 'someone@nordvik.example' })).statusCode).toBe(422)
  })

  it('is limited to 50 an hour', async () => {
    const { accountId, email, client } = await reader()
    const { db, limits } = portal.system
    await limits.take(db, [{ name: 'invitation', key: accountId, times: 49 }], portal.now())
    expect((await test(client, 'login-code')).statusCode).toBe(204)
    expect((await test(client, 'login-code')).statusCode).toBe(429)
    expect(await outboxOf(portal).messagesTo(email)).toHaveLength(1)
  })
})
