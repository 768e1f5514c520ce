import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmailTemplateType, emailTemplateTypes } from '#contract/email-templates/email-templates.ts'
import type { EditedTemplate } from '#contract/email-templates/template-editor.ts'
import {
  placeholdersOf,
  type TemplateChannel,
  type TemplateText,
  textProblems,
} from '#contract/email-templates/template-texts.ts'
import { type Language, languages } from '#contract/roles.ts'
import { builtInText } from '#server/mails/mails.ts'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true, email: 'root@texts.example' }))
})
afterAll(() => portal?.close())

interface Place {
  type?: EmailTemplateType
  language?: Language
  channel?: TemplateChannel
  organizationId?: string
}
const codeText = { subject: 'Your code', body: '{{greeting}}\n\nUse **this** code: {{code}}', button: '' }
const urlOf = ({ type = 'login-code' }: Place) => `/api/email-templates/${type}/texts`
const placeOf = ({ language = 'en', channel = 'mail', organizationId }: Place) => ({
  ...{ language, channel },
  ...(organizationId && { organizationId }),
})
const read = async (place: Place): Promise<EditedTemplate> =>
  (await root.get(`${urlOf(place)}?${new URLSearchParams(placeOf(place))}`)).json()
const save = (place: Place, text: TemplateText, more: object = {}) =>
  root.put(urlOf(place), { ...placeOf(place), ...text, ...more })
const publish = (place: Place, more: object = {}) =>
  root.post(`${urlOf(place)}/publish`, { ...placeOf(place), ...more })
const issuesOf = (answer: { json(): { issues: unknown } }) => answer.json().issues
const events = () =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['target', 'organizationIds', 'changes'])
    .where('name', '=', 'updateEmailTemplate')
    .orderBy('id', 'desc')
    .execute()

describe.each(emailTemplateTypes)('the built-in text of %s', (type) => {
  test.each(languages)('in %s is one that could be published', (language) => {
    const text = builtInText(type, 'mail', language)
    expect(textProblems(placeholdersOf(type, 'mail'), text)).toEqual([])
    expect(text.body).toContain('{{greeting}}')
    expect(JSON.stringify(text)).not.toMatch(/undefined|null/)
  })
})

test('a draft changes nothing until it is published, and each step leaves its difference in the log', async () => {
  const place = { language: 'fr' } as const
  const before = await read(place)
  expect(before).toMatchObject({ published: null, draft: null, versions: [], version: 0 })
  expect(await text(place)).not.toContain('Use this code')
  const saved = (await save(place, codeText, { version: 0 })).json()
  expect(saved).toMatchObject({ published: null, draft: codeText, version: 1 })
  expect(await text(place)).not.toContain('Use this code')
  expect((await publish(place, { version: 1 })).json()).toMatchObject({ published: codeText, draft: null })
  expect(await text(place)).toContain('Use this code: 123456')
  const [published, drafted] = await events()
  expect(drafted).toMatchObject({ target: 'login-code, fr', organizationIds: [] })
  expect(drafted?.changes).toEqual([
    { property: 'subject', previousValue: before.inherited.subject, newValue: 'Your code' },
    { property: 'body', previousValue: before.inherited.body, newValue: codeText.body },
    { property: 'state', previousValue: 'published', newValue: 'draft' },
  ])
  expect(published?.changes).toContainEqual({ property: 'state', previousValue: 'inherited', newValue: 'published' })
})

test('versions stay, the latest first, and the standard text can be had back', async () => {
  const place = { language: 'fi' } as const
  for (const subject of ['One', 'Two']) {
    await save(place, { ...codeText, subject })
    await publish(place)
  }
  await publish(place, { inherited: true })
  const { published, versions } = await read(place)
  expect(published).toBeNull()
  expect(versions.map(({ number, publishedBy, text }) => [number, publishedBy, text?.subject])).toEqual([
    [3, 'root@texts.example', undefined],
    [2, 'root@texts.example', 'Two'],
    [1, 'root@texts.example', 'One'],
  ])
  expect(await text(place)).not.toContain('Use this code')
})

test('of two people who change the same text, the second is told', async () => {
  const place = { type: 'user-invite', language: 'fi' } as const
  const { inherited, version } = await read(place)
  await save(place, { ...inherited, subject: 'First' }, { version })
  const late = await save(place, { ...inherited, subject: 'Second' }, { version })
  expect([late.statusCode, late.json().message]).toEqual([409, 'changedByOthers'])
  expect((await publish(place, { version })).statusCode).toBe(409)
  expect((await read(place)).draft?.subject).toBe('First')
  // Saving what applies already discards the draft.
  expect((await save(place, inherited)).json().draft).toBeNull()
})

test.each([
  ['HTML', { body: '{{code}} <b>now</b>' }, 'body', 'templateHtmlRefused'],
  ['a script', { body: '{{code}}<script>alert(1)</script>' }, 'body', 'templateHtmlRefused'],
  ['HTML in the subject', { subject: 'Code <img src=x>' }, 'subject', 'templateHtmlRefused'],
  ['no code', { body: 'Hello' }, 'body', 'templatePlaceholderMissing'],
  ['an unknown placeholder', { body: '{{code}} {{password}}' }, 'body', 'templatePlaceholderUnknown'],
  ['one that every object has', { body: '{{code}} {{constructor}}' }, 'body', 'templatePlaceholderUnknown'],
  ['logic', { body: '{{code}} {{#if code}}' }, 'body', 'templatePlaceholderUnknown'],
  ['an unpaired brace', { body: '{{code}} {{code' }, 'body', 'templatePlaceholderUnknown'],
  ['the code in the subject', { subject: '{{code}}' }, 'subject', 'templatePlaceholderNotInSubject'],
  ['no subject', { subject: '' }, 'subject', 'required'],
  ['a second header in the subject', { subject: 'Code\r\nBcc: all@evil.example' }, 'subject', 'invalidText'],
  ['a link that is a script', { body: '{{code}} [here](javascript:alert(1))' }, 'body', 'templateLinkRefused'],
  ['a link without https', { body: '{{code}} [here](http://a.example)' }, 'body', 'templateLinkRefused'],
  ['a link that hides its host', { body: '{{code}} [x](https://bank.se@a.example)' }, 'body', 'templateLinkRefused'],
  ['a code within a link', { body: '{{code}} [x](https://a.example/{{code}})' }, 'body', 'templateLinkRefused'],
])('%s is refused, and nothing is saved', async (_, wrong, path, message) => {
  const place = { language: 'sv' } as const
  const answer = await save(place, { ...codeText, ...wrong })
  expect(answer.statusCode).toBe(422)
  expect(issuesOf(answer)).toContainEqual({ path, message })
  expect((await read(place)).version).toBe(0)
})

test('a button must be there with its text, and alone on its line', async () => {
  const place = { type: 'reset-password' } as const
  const text = { subject: 'Reset', body: 'Here:\n{{button}}', button: 'Choose' }
  expect((await save(place, text)).statusCode).toBe(200)
  expect(issuesOf(await save(place, { ...text, button: '' }))).toEqual([{ path: 'button', message: 'required' }])
  expect(issuesOf(await save(place, { ...text, body: 'Here: {{button}}' }))).toEqual([
    { path: 'body', message: 'templatePlaceholderAlone' },
  ])
})

test('a text message has a text of its own, for login codes alone', async () => {
  const place = { channel: 'sms', language: 'en' } as const
  expect((await read(place)).inherited.body).toContain('{{code}}')
  expect(issuesOf(await save(place, { subject: '', body: 'No code', button: '' }))).toEqual([
    { path: 'body', message: 'templatePlaceholderMissing' },
  ])
  expect((await save(place, { subject: '', body: 'Code {{code}}', button: '' })).statusCode).toBe(200)
  expect((await save({ ...place, type: 'user-invite' }, codeText)).statusCode).toBe(404)
  const unknown = '01900000-0000-7000-8000-00000000dead'
  expect((await save({ ...place, organizationId: unknown }, codeText)).statusCode).toBe(404)
})

describe('the preview of a text that is being written', () => {
  const form = (fields: Record<string, string>, type = 'login-code') =>
    root.submit(`/api/email-templates/${type}/preview`, { language: 'en', ...codeText, ...fields })

  test('is rendered with sample values, may run nothing, and saves nothing', async () => {
    const { statusCode, body, headers } = await form({ body: 'One\r\n\r\n- two\r\n- three\r\n\r\n{{code}}' })
    expect(statusCode).toBe(200)
    expect(body).toMatch(/<ul [^>]*><li>two<\/li><li>three<\/li><\/ul>/)
    expect(body).toContain('>123456</td>')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect((await read({ language: 'sv' })).version).toBe(0)
  })

  test('refuses what could not be saved', async () => {
    expect((await form({ body: '<script>{{code}}' })).statusCode).toBe(422)
  })
})

/** The plain text of the mail that is sent now. */
const text = async ({ type = 'login-code', language = 'en' }: Place) =>
  (await root.get(`/api/email-templates/${type}/text?language=${language}`)).json().text
