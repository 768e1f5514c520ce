import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages } from '#contract/roles.ts'
import { readConfig } from '#server/config.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import type { Renderers } from '#server/platform/messages/deliver-message.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { mailMessage, renderMail, smsMessage, type TemplateName, type TemplateValues, templateNames } from './mails.ts'
import { createRenderers } from './renderers.ts'

const portal = {
  companyName: 'Vestibule',
  supportEmail: 'support@vestibule.example',
  supportPhone: '+46 8 465 004 00',
  baseUrl: 'https://portal.vestibule.example',
}
const link = 'https://portal.vestibule.example/reset-password/p0cYJ3wXqv-Z8hY2sU6kFQ'
// Midnight in summer and midwinter: 1 July in London, 2 July in Stockholm.
const dateTime = '2026-07-01T22:30:00.000Z'

const samples = (name: string, message = 'Hej!\n\nVi ses.'): TemplateValues => ({
  'user-invite': { organizationName: name, inviterName: name, message, link, expiresAt: dateTime },
  'reset-password': { firstName: name, byAdmin: false, link, expiresAt: dateTime },
  'notify-organization-admin': {
    firstName: name,
    organizationName: name,
    users: [
      { name, email: 'user@nordvik.example', lastActive: dateTime },
      { name: null, email: 'both@nordvik.example', lastActive: null },
      { name, email: 'elsewhere@nordvik.example' },
    ],
  },
  'notify-last-active': { firstName: name, becomesPassiveAt: dateTime },
  'login-code': { firstName: name, code: '048213', minutes: 10 },
  'confirm-code': { firstName: name, code: '048213', minutes: 10 },
  'membership-added': { firstName: name, organizationName: name, inviterName: name, message },
  'contact-changed': {
    firstName: name,
    changed: ['ssn', 'phoneNumber', 'password'],
    byAdmin: true,
    at: dateTime,
    link,
  },
  'number-proven-elsewhere': { firstName: name, keeps: false, at: dateTime },
  recovery: { firstName: name, what: 'asked', reason: message, at: dateTime, link },
  'factor-changed': { firstName: name, change: 'recoveryCodeUsed', at: dateTime, link },
  'passkey-changed': { firstName: name, what: 'added', name: 'Phone', at: dateTime, link },
  'password-changed': { firstName: name, at: dateTime, link },
  'own-data-ready': { firstName: name, expiresAt: dateTime },
  'no-password': { firstName: name, loginMethod: 'bankid' },
  'too-many-codes': { firstName: name, until: dateTime },
  'new-browser': { firstName: name, at: dateTime, browser: 'Firefox, Windows', count: null, link },
  'wrong-passwords': { firstName: name, at: dateTime },
  'refused-passive': { firstName: name, organizationNames: [name, 'Solberga kommun'], at: dateTime },
  'pending-reminder': { organizationName: name, invitation: { link, expiresAt: dateTime } },
  'no-seat-left': { firstName: name, name, organizationName: name, services: [name, 'Journal'] },
  'access-requested': {
    firstName: name,
    name,
    email: 'admin@nordvik.example',
    organizationName: name,
    serviceName: 'Journal',
  },
  'access-answered': { firstName: name, organizationName: name, serviceName: 'Journal', refusedBecause: name },
  'access-review': {
    firstName: name,
    organizationId: '01900000-0000-7000-8000-000000000000',
    organizationName: name,
    state: 'asked',
    services: name,
  },
  'access-ends': {
    ...{ firstName: name, organizationName: name },
    ...{ endsOn: '2026-12-31', membership: true, services: [name, 'Journal'] },
    roles: [
      { role: 'organizationAdmin', name: null },
      { role: 'groupAdmin', name },
    ],
  },
  'access-ends-of-others': {
    ...{ firstName: name, organizationName: name, page: 'user-administration' },
    people: [
      {
        ...{ accountId: '01900000-0000-7000-8000-000000000000', name, email: 'admin@nordvik.example' },
        ...{ endsOn: '2026-12-31', membership: false, roles: [], services: ['Journal'] },
      },
    ],
  },
  'scim-token-ends': {
    ...{ firstName: name, organizationName: name, name, expiresAt: dateTime },
    organizationId: '01900000-0000-7000-8000-000000000000',
  },
  'certificate-ends': { firstName: name, configId: 1, name, validTo: dateTime },
  'sign-in-to-check': { firstName: name, what: 'draft', name, path: '/saml-configuration/setups/1' },
  'stream-stopped': { firstName: name, streamId: 'stream', url: name, gone: true },
  'test-mail': { firstName: name },
  'notify-last-admin': {
    firstName: name,
    admin: { name, email: 'admin@nordvik.example' },
    organizationNames: [name, 'Solberga kommun'],
    becomesPassiveAt: dateTime,
  },
})

const mail = (template: TemplateName, language: Language, values = samples('Nordvik AB')) =>
  renderMail({ template, language, values: values[template], portal })
const cells = templateNames.flatMap((template) => languages.map((language) => ({ template, language })))

const times = (text: string, part: string) => text.split(part).length - 1
const unescaped = (text: string) => text.replaceAll(/&#(\d+);/g, (_, number) => String.fromCodePoint(Number(number)))
/** The elements and attributes of a page without what they hold. */
const skeleton = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replaceAll(/="[^"]*"/g, ''))
/** What a reader of the HTML sees. */
const visibleTexts = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<div style="display:none.*?<\/div>/s, '')
    .split(/<[^>]*>/)
    .map((text) => unescaped(text).trim())
    .filter((text) => text !== '' && text !== ',')

describe.each(cells)('the mail $template in $language', ({ template, language }) => {
  const { subject, html, text } = mail(template, language)

  it('has no missing text, value or placeholder', () => {
    for (const part of [subject, html, text]) expect(part).not.toMatch(/\{\{|undefined|\bnull\b|\bNaN\b|\bmail[A-Z]/)
    expect(html).toContain(`<html lang="${language}">`)
  })

  it('says the same as plain text', () => {
    for (const visible of visibleTexts(html)) expect(text).toContain(visible)
  })

  it('is small and fetches nothing', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(20_000)
    expect(html).not.toMatch(/\ssrc=|url\(|@import|<link|<script|<img/)
  })

  it('escapes every value', () => {
    const hostile = `"><script>alert('1')</script><img src=x onerror=alert(1)> {{code}} & 👩🏽‍⚕️ ${'ö'.repeat(200)}`
    const attacked = mail(template, language, samples(hostile, `</td>${hostile}\n\n<!-- `))
    expect(skeleton(attacked.html)).toEqual(skeleton(html))
    expect(attacked.html).not.toContain('<script')
    expect(visibleTexts(attacked.html).join('\n')).toContain(hostile)
  })

  it('keeps its subject on one line, even if a name contains line breaks', () => {
    const attacked = mail(template, language, samples('Nordvik\r\nBcc: all@nordvik.example\u202egnp'))
    expect(attacked.subject).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})

describe.each(languages)('a mail in %s', (language) => {
  it.each([
    ...([
      'new-browser',
      'contact-changed',
      'password-changed',
      'factor-changed',
      'passkey-changed',
      'recovery',
    ] as const),
  ])('of %s about the own account has the button "This was not me"', (template) => {
    expect(mail(template, language).text).toContain(`${translate(language, 'mailNotMeButton')}\n${link}`)
  })

  it.each(['user-invite', 'reset-password', 'pending-reminder'] as const)('has the link of %s to see', (template) => {
    const { html, text } = mail(template, language)
    expect([times(html, `href="${link}"`), times(html, `>${link}</a>`), times(text, link)]).toEqual([2, 1, 1])
  })

  it.each([
    ['notify-organization-admin', '/user-administration'],
    ['number-proven-elsewhere', '/account'],
    ['too-many-codes', '/reset-password'],
    ['notify-last-active', '/'],
    ['membership-added', '/'],
  ] as const)('of %s links to %s', (template, path) => {
    const { html, text } = mail(template, language)
    expect(html).toContain(`href="${portal.baseUrl}${path}"`)
    expect(text).toContain(`\n${portal.baseUrl}${path}\n`)
  })

  it('shows a login code once, and no other six digits that could be taken for it', () => {
    const { html, text, subject } = mail('login-code', language)
    expect([html.match(/\d{6}/g), text.match(/\d{6}/g)]).toEqual([['048213'], ['048213']])
    expect(subject).not.toContain('048213')
  })

  it('shows Swedish time', () => {
    const day = { sv: 'den 2 juli 2026', en: ' 2 July 2026', fi: ' 2. heinäkuuta 2026', fr: ' 2 juillet 2026' }
    const hour = { sv: '00:30', en: '00:30 (Swedish time)', fi: ' 0.30 (Ruotsin aikaa)', fr: '00:30 (heure de Suède)' }
    const { text } = mail('password-changed', language)
    expect(text).toContain(day[language])
    expect(text).toContain(hour[language])
  })

  it('calls a passive account what the portal calls it', () => {
    const badge = translate(language, 'passive').toLowerCase().split(' ').at(-1)
    expect(mail('refused-passive', language).html).toMatch(new RegExp(`<h1[^>]*>[^<]*${badge}`))
  })

  it('breaks no telephone number in two', () => {
    expect(mail('login-code', language).html).toMatch(
      /<a [^>]*href="tel:[^>]*white-space:nowrap;[^>]*>\+46 8 465 004 00</,
    )
  })

  it('is worded differently from the same mail in another language', () => {
    for (const template of templateNames) {
      const others = languages.filter((other) => other !== language).map((other) => mail(template, other).subject)
      expect(others).not.toContain(mail(template, language).subject)
    }
  })
})

describe('a mail', () => {
  it('refuses to link to anything but a web address', () => {
    const values = { ...samples('Nordvik AB')['reset-password'], link: 'javascript:alert(1)' }
    expect(() => renderMail({ template: 'reset-password', language: 'sv', values, portal })).toThrow(
      'not a web address',
    )
  })

  it('leaves out the phone number when the company has none', () => {
    const { supportPhone: _, ...withoutPhone } = portal
    const { html, text } = renderMail({
      template: 'notify-last-active',
      language: 'sv',
      values: samples('Åsa')['notify-last-active'],
      portal: withoutPhone,
    })
    expect(html).not.toContain('tel:')
    expect(text).toContain('support@vestibule.example\n')
  })

  it('about 500 passive users names the first and counts the rest, and stays below what mail programs cut off', () => {
    const users = Array.from({ length: 500 }, (_, index) => ({
      name: 'Ö'.repeat(200),
      email: `${index}@nordvik.example`,
      lastActive: dateTime,
    }))
    const values = { firstName: null, organizationName: 'Nordvik AB', users }
    const { html, text } = renderMail({ template: 'notify-organization-admin', language: 'sv', values, portal })
    expect(Buffer.byteLength(html)).toBeLessThan(100_000)
    expect(text).toContain('och 461 till')
  })

  it('greets a recipient without a name', () => {
    const values = { ...samples('')['login-code'], firstName: null }
    expect(renderMail({ template: 'login-code', language: 'en', values, portal }).text).toContain('\n\nHello,\n\n')
  })
})

describe('what the outbox writes its messages with', () => {
  const config = readConfig({ BASE_URL: portal.baseUrl, SUPPORT_EMAIL: portal.supportEmail })
  // No text has been changed: these templates are the built-in ones.
  let database: ConnectedDatabase
  let renderers: Renderers
  beforeAll(async () => {
    database = await connectTestDatabase()
    renderers = createRenderers({ config, db: database.db, log: { error: () => {} } })
  })
  afterAll(() => database.close())
  const inSwedish = (template: string, values: JsonObject = {}) => ({
    ...{ template, language: 'sv' as const, values },
    ...{ accountId: null, organizationId: null },
  })
  const to = { address: 'user@nordvik.example' }
  const stored = <Values>(values: Values): Values => JSON.parse(JSON.stringify(values))

  it.each(templateNames)('writes %s from values that were stored as JSON', async (template) => {
    const values = samples('Nordvik AB')[template]
    const message = mailMessage({ template, to, language: 'sv', values })
    const written = await renderers.mail(inSwedish(message.template, stored(message.values)))
    expect(written).toEqual(mail(template, 'sv'))
  })

  it('writes a text message', async () => {
    const values = { code: '048213', minutes: 10 }
    const message = smsMessage({ template: 'login-code', to: { address: '+46701740605' }, language: 'sv', values })
    expect(await renderers.sms(inSwedish(message.template, stored(message.values)))).toContain('\n@portal.vestibule')
  })

  it('refuses a template that this version does not have', async () => {
    await expect(renderers.mail(inSwedish('toString'))).rejects.toThrow('unknown template')
    await expect(renderers.sms(inSwedish('user-invite'))).rejects.toThrow('unknown template')
  })
})
