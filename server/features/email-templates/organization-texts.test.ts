import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('a text for one organisation is noted with its name, whatever others there are, and for none that does not exist', async () => {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const homes = [await portal.organization('Nordvik'), await portal.organization('Solberga')]
  const save = async (organizationId: string) => {
    const text = { subject: 'Your code', body: '{{greeting}}\n\n{{code}}', button: '' }
    const place = { language: 'en', channel: 'mail', organizationId }
    return (await root.put('/api/email-templates/login-code/texts', { ...place, ...text })).statusCode
  }
  for (const { organizationId } of homes) expect(await save(organizationId)).toBe(200)
  expect(await save(newId())).toBe(404)
  const { rows } = await portal.system.pool.query(
    "select target from audit_events where name = 'updateEmailTemplate' order by id",
  )
  expect(rows.map(({ target }) => target)).toEqual(['login-code, en, Nordvik', 'login-code, en, Solberga'])
})
