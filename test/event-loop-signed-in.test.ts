import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Client } from './client.ts'
import { type Field, fieldsOf, isText, nameOf, sampleWith } from './contract-fields.ts'
import { declaredRoutes, sendSample } from './declared-routes.ts'
import { cost, long, mostBlocked as most, worst } from './longest-texts.ts'
import { question, questionsOf } from './questions.ts'
import { finishSignIn, openSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld, type World } from './world.ts'

vi.setConfig({ testTimeout: 600_000 })

let portal: TestApp
let world: World
let root: Client
beforeAll(async () => {
  portal = await testApp({ ...unlimited, LOG_LEVEL: 'silent' })
  world = await buildWorld(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

/** Shorter ones are cheap, whatever is done with them. */
const isLong = ({ schema }: Field) => ((schema as { maxLength?: number }).maxLength ?? 0) >= 1000

test('no long text of a call with a session blocks the event loop', async () => {
  const fields = declaredRoutes(portal)
    .filter(({ route: { access } }) => !['public', 'machine', 'scim'].includes(access))
    .flatMap(fieldsOf)
    .filter((field) => isText(field) && isLong(field))
  expect(fields.length).toBeGreaterThan(20)
  const send = (field: Field, text: string) =>
    sendSample(root, field.declared.route, sampleWith(field, world.target('user', 'own'), text))
  const slow: string[] = []
  for (const field of fields) {
    await send(field, 'warm')
    for (const text of worst)
      for (const value of long(field, text)) {
        const spent = await cost(() => send(field, value))
        if (spent > most) slow.push(`${nameOf(field)} = ${JSON.stringify(text)}: ${spent.toFixed(0)} ms`)
      }
  }
  expect(slow).toEqual([])
})

const template = (body: string) =>
  root.put('/api/email-templates/login-code/texts', { language: 'en', channel: 'mail', subject: 'a', body, button: '' })
const blanks = '\t'.repeat(3900)

test.each<[string, () => Promise<unknown>]>([
  ['blanks between braces', () => template(`{{${blanks}a`)],
  ['blanks and a name between braces', () => template(`{{a${blanks}b}}`)],
  ['braces without end', () => template('{{'.repeat(1900))],
  ['links without end', () => template('[a]('.repeat(900))],
])('a mail with %s does not block the event loop', async (_, ask) => {
  await ask()
  expect(await cost(ask)).toBeLessThanOrEqual(most)
})

test('fifty questions with thousands of methods do not block the event loop', async () => {
  const questions = questionsOf(portal)
  const { serviceId } = await portal.service('Journal')
  const token = await questions.tokenOf(serviceId)
  const { subject, action, resource } = question(serviceId, 'regular', serviceId)
  const body = {
    ...{ subject, action, resource, context: { amr: Array.from({ length: 15_000 }, () => '') } },
    evaluations: Array.from({ length: 50 }, () => ({})),
  }
  const ask = () => questions.ask(token, body, 'evaluations')
  expect((await ask()).statusCode).toBe(200)
  expect(await cost(ask)).toBeLessThanOrEqual(most)
})

test('a browser of very many versions does not block the event loop', async () => {
  const { email } = await portal.person()
  const signIn = async () => {
    const browser = portal.browser({ 'user-agent': `Version/${'.'.repeat(14_000)}` })
    const { page } = await openSignIn(browser)
    await finishSignIn(browser, page, email)
  }
  await signIn()
  expect(await cost(signIn)).toBeLessThanOrEqual(most)
})
