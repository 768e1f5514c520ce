import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

test('someone who found a vulnerability reads whom to tell, and for how long that holds', async () => {
  const response = await portal.browser().get('/.well-known/security.txt')
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
  const fields = Object.fromEntries(response.body.split('\n').map((line) => line.split(/: (.*)/s)))
  expect(fields.Contact).toBe(`mailto:${portal.system.config.supportEmail}`)
  expect(fields.Canonical).toBe(`${portal.system.config.baseUrl}/.well-known/security.txt`)
  const days = (Date.parse(fields.Expires) - portal.system.clock().getTime()) / (24 * 60 * 60 * 1000)
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(365)
})

test('a password manager finds the form', async () => {
  const response = await portal.browser().get('/.well-known/change-password')
  expect([response.statusCode, response.headers.location]).toEqual([302, '/account?tab=password'])
})
