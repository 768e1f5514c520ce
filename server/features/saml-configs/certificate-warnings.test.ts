import { afterAll, beforeAll, expect, test } from 'vitest'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createCertificateWarningsJob } from './certificate-warnings.ts'

const dayMs = 24 * 60 * 60 * 1000

let portal: TestApp
let superUser: Person
beforeAll(async () => {
  portal = await testApp()
  superUser = await portal.person({ superUser: true })
  await portal.person()
})
afterAll(() => portal.close())

const inDays = (days: number) => new Date(portal.system.clock().getTime() + days * dayMs)

async function configEndingIn(days: number, ...more: number[]): Promise<string> {
  const name = `Fjällrå ${days} ${Math.random()}`
  const certificate = [days, ...more].map((end) => selfSigned({ name, validTo: inDays(end) }).certificate).join('\n')
  await portal.system.db
    .insertInto('samlConfigs')
    .values({ name, url: 'https://idp.example/sso', domain: 'https://fjallra.example', certificate })
    .execute()
  return name
}

/** Runs the job after some days; returns how many mails about the configuration there are by then. */
async function mailsAfter(days: number, name: string): Promise<number> {
  const { db, outbox } = portal.system
  const clock = () => inDays(days)
  await createCertificateWarningsJob({ db, outbox, clock }).run()
  const messages = await outboxOf(portal).messagesTo(superUser.email)
  return messages.filter(({ template, values }) => template === 'certificate-ends' && values.name === name).length
}

test('super users get a mail 60, 30, 7 and 1 days before a certificate ends, once each', async () => {
  const name = await configEndingIn(70.5)
  const counts: number[] = []
  for (const day of [0, 10, 11, 11, 40, 41, 63, 64, 69, 70, 70, 71, 80]) counts.push(await mailsAfter(day, name))
  expect(counts).toEqual([0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4])
})

test('after nights without the job only the latest warning is sent', async () => {
  const name = await configEndingIn(90.5)
  expect([await mailsAfter(85, name), await mailsAfter(90, name)]).toEqual([1, 2])
})

test('two nodes that run the job at once send one mail', async () => {
  const name = await configEndingIn(20)
  await Promise.all([mailsAfter(0, name), mailsAfter(0, name)])
  expect(await mailsAfter(0, name)).toBe(1)
})

test('nobody is warned while a second certificate is valid for longer', async () => {
  expect(await mailsAfter(0, await configEndingIn(5, 900))).toBe(0)
})
