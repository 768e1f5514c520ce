import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailTemplateTypes } from '#contract/email-templates.ts'
import { languages } from '#contract/roles.ts'
import type { Client } from '#test/client.ts'
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

  it("is shown in the super user's own language unless another is asked for", async () => {
    expect((await preview(superUser, type)).body).toContain('<html lang="fi">')
  })
})

describe('the preview', () => {
  it('may run and fetch nothing, and stand in a frame of our own pages', async () => {
    const { headers } = await preview(superUser, 'login-code')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
    )
    expect(headers['x-frame-options']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')
  })

  it('is addressed to whoever looks at it', async () => {
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
  })
})
