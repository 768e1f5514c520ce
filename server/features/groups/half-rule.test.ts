import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupsOf, newGroupName } from '#test/group-home.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('a rule needs what it asks for and the value, in a new group and in one that has a rule', async () => {
  const { organizationId, browser, create } = await groupsOf(portal).newHome({ people: 0 })
  const refused = (at: string) => [422, [{ path: at, message: 'required' }]]
  const halves = [
    { sent: { ruleAttribute: 'department', ruleValue: null }, missing: 'ruleValue' },
    { sent: { ruleAttribute: null, ruleValue: 'Surgery' }, missing: 'ruleAttribute' },
  ]
  const groupId = await create({ ruleAttribute: 'department', ruleValue: 'Medicine' })
  for (const { sent, missing } of halves) {
    const created = await browser.post('/api/groups', { organizationId, name: newGroupName(), ...sent })
    expect([created.statusCode, created.json().issues]).toEqual(refused(missing))
    const changed = await browser.put('/api/groups', { groupId, ...sent })
    expect([changed.statusCode, changed.json().issues]).toEqual(refused(missing))
  }
  expect((await browser.put('/api/groups', { groupId, ruleValue: 'Surgery' })).json()).toMatchObject({
    ...{ ruleAttribute: 'department', ruleValue: 'Surgery' },
  })
})
