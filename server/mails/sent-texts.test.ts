import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmailTemplateType } from '#contract/email-templates/email-templates.ts'
import type { TemplateText } from '#contract/email-templates/template-texts.ts'
import type { Language } from '#contract/roles.ts'
import { mailMessage, smsMessage } from '#server/mails/mails.ts'
import { createRenderers } from '#server/mails/renderers.ts'
import type { MailToSend } from '#server/platform/messages/mailer.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

interface Place {
  type: EmailTemplateType
  channel?: 'sms'
  language: Language
  organizationId?: string
}
async function publish({ type, ...place }: Place, text: Partial<TemplateText>): Promise<void> {
  const url = `/api/email-templates/${type}/texts`
  const whole = { subject: '', body: '', button: '', ...text }
  expect((await root.put(url, { ...place, ...whole })).statusCode).toBe(200)
  expect((await root.post(`${url}/publish`, place)).statusCode).toBe(200)
}

/** Delivers the newest message to an address, and returns what the mail server gets. */
async function mailTo(address: string): Promise<MailToSend> {
  const [message] = await outboxOf(portal).messagesTo(address)
  const sent: MailToSend[] = []
  const mailer = { send: async (mail: MailToSend) => void sent.push(mail), close: async () => {} }
  const sms = { send: async () => {} }
  expect(await outboxOf(portal).deliver(message?.id ?? '', sms, mailer)).toBe(true)
  return sent[0] as MailToSend
}
async function codeFor({ accountId, email }: Person, language: Language): Promise<MailToSend> {
  const values = { firstName: 'Åsa', code: '048213', minutes: 10 }
  const to = { address: email, accountId }
  await portal.system.outbox.mail(portal.system.db, mailMessage({ template: 'login-code', to, language, values }))
  return mailTo(email)
}
async function memberOf(...organizations: { organizationId: string }[]): Promise<Person> {
  const person = await portal.person()
  for (const { organizationId } of organizations) await portal.join(person.accountId, organizationId)
  return person
}

test("a code has its organisation's text, else that of all, else the built-in one; never another organisation's", async () => {
  const [one, other] = [await portal.organization(), await portal.organization()]
  const [here, there, both, none] = [
    await memberOf(one),
    await memberOf(other),
    await memberOf(one, other),
    await memberOf(),
  ]
  const place = { type: 'login-code', language: 'fi' } as const
  await publish({ ...place, organizationId: one.organizationId }, { subject: 'Of one', body: '{{code}}' })
  expect((await codeFor(here, 'fi')).subject).toBe('Of one')
  const builtIn = (await codeFor(there, 'fi')).subject
  expect(builtIn).not.toBe('Of one')
  await publish(place, { subject: 'Of all', body: '{{code}}' })
  for (const person of [there, both, none]) expect((await codeFor(person, 'fi')).subject).toBe('Of all')
  expect((await codeFor(here, 'fi')).subject).toBe('Of one')
  // Another language has its own text, and a super user's mails are the portal's.
  expect((await codeFor(here, 'fr')).subject).not.toMatch(/Of/)
  await portal.system.db.updateTable('users').set({ superUser: true }).where('accountId', '=', here.accountId).execute()
  expect((await codeFor(here, 'fi')).subject).toBe('Of all')
})

test('a text message has a text, too, and always the line for the browser', async () => {
  const person = await memberOf()
  await publish({ type: 'login-code', channel: 'sms', language: 'fr' }, { body: 'Code: {{code}} ({{minutes}})' })
  const values = { code: '048213', minutes: 10 }
  const to = { address: '+46701740605', accountId: person.accountId }
  const id = await portal.system.outbox.sms(
    portal.system.db,
    smsMessage({ template: 'login-code', to, language: 'fr', values }),
  )
  const sent: string[] = []
  await outboxOf(portal).deliver(id, { send: async ({ text }) => void sent.push(text) })
  expect(sent).toEqual(['Code: 048213 (10)\n\n@portal.test #048213'])
})

describe('an invitation', () => {
  const hostile = `**Nordvik** [x](https://evil.example) {{button}} <b>"&'\u202e`

  test('has the text and the sender of its organisation, whichever the person belongs to; names are nothing but names', async () => {
    const place = await invitationsOf(portal).organizationWithAdmin()
    const member = await memberOf(await portal.organization())
    const { organizationId } = place
    await portal.system.db
      .updateTable('organizations')
      .set({ name: `${hostile}\r\nBcc: all@evil.example`, senderName: 'Nordvik', replyTo: 'desk@nordvik.example' })
      .where('organizationId', '=', organizationId)
      .execute()
    const text = {
      subject: 'To {{organization}}',
      body: 'Join **{{organization}}**, says {{inviter}}:\n{{message}}\n\n- a\n- [b](https://b.example)\n\n{{button}}',
      button: 'Yes',
    }
    for (const language of ['sv', 'en'] as const) await publish({ type: 'user-invite', language, organizationId }, text)
    await invite(place.browser, organizationId, member.email)
    const mail = await mailTo(member.email)
    expect(mail.sender).toEqual({ name: 'Nordvik', replyTo: 'desk@nordvik.example' })
    expect(mail.subject).toBe(`To **Nordvik** [x](https://evil.example) {{button}} <b>"&' Bcc: all@evil.example`)
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).not.toContain('href="https://evil')
    expect(mail.html).toContain('<strong>**Nordvik** [x]')
    expect(mail.html.match(/href="https:\/\/b\.example\/"/g)).toHaveLength(1)
    expect(mail.html).toContain('>Yes</a>')
    expect(mail.text).toContain('- a\n- b (https://b.example/)')
    expect(mail.text).toMatch(/Yes\nhttps?:\/\/portal\.test.*\/accept-invitation\//)
  })

  test('of another organisation has neither', async () => {
    const place = await invitationsOf(portal).organizationWithAdmin()
    const email = newEmail()
    await invite(place.browser, place.organizationId, email)
    const mail = await mailTo(email)
    expect(mail.sender).toEqual({ name: null, replyTo: null })
    expect(mail.subject).not.toMatch(/^To /)
  })
})

test('a broken text never stops a code: the built-in one is sent, and log and home say so', async () => {
  const place = { type: 'login-code', language: 'sv' } as const
  await publish(place, { subject: 'Works', body: '{{code}}' })
  const message = {
    ...{ template: 'login-code', language: 'sv' as const, accountId: null, organizationId: null },
    values: { firstName: null, code: '048213', minutes: 10 },
  }
  const logged: unknown[] = []
  const log = { error: (...line: unknown[]) => void logged.push(line[1]) }
  const { config, db } = portal.system
  const renderers = createRenderers({ config, db, log })
  expect((await renderers.mail(message)).subject).toBe('Works')
  const broken = async () => (await root.get('/api/home')).json().todos.brokenTemplates
  expect(await broken()).toEqual([])
  for (const stored of ['{"subject":"x","body":"no code","button":""}', '{"subject":"x"}', '7']) {
    await db
      .updateTable('messageTemplates')
      .set({ published: stored })
      .where('type', '=', 'login-code')
      .where('language', '=', 'sv')
      .execute()
    const mail = await renderers.mail(message)
    expect(mail.subject).not.toBe('x')
    expect(mail.text).toContain('048213')
    expect(logged.splice(0)).toEqual(['a message template is broken and was not used'])
    expect(await broken()).toMatchObject([
      { type: 'login-code', channel: 'mail', language: 'sv', organizationId: null },
    ])
  }
  // Nor does a database that cannot be read.
  const failing = createRenderers({ config, db: db.withSchema('no_such_schema'), log })
  expect((await failing.mail(message)).text).toContain('048213')
  expect(logged).toEqual(['the text or sender of a message could not be read'])
})
