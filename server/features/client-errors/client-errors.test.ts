import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const crash = {
  url: 'https://portal.example/reset-password/Zq3vT9kLm2Xw8YbN4cR7dF1gH6jK0pSs?email=anna@nordvik.example#x',
  error: 'TypeError: anna@nordvik.example 19900101-2384 is undefined',
  stack: 'at f (https://portal.example/assets/app.js:1:2)',
  componentStack: null,
}
const lines = () => portal.logged.filter(({ msg }) => msg === 'the web app crashed')

test('a crash is logged in one line, without personal data', async () => {
  expect((await portal.browser().post('/client-errors', crash)).statusCode).toBe(204)
  expect(lines()).toEqual([
    {
      level: 'warn',
      time: expect.any(String),
      requestId: expect.any(String),
      clientError: 'TypeError: [e-mail] 19900101-**** is undefined',
      page: '/reset-password/[token]',
      stack: 'at f (https://portal.example/assets/app.js:1:2)',
      componentStack: null,
      msg: 'the web app crashed',
    },
  ])
})

test('a crash with line breaks is still logged in one line', async () => {
  const before = lines().length
  await portal.browser().post('/client-errors', { ...crash, error: 'x\n{"level":"fatal","msg":"forged"}' })
  expect(lines().length).toBe(before + 1)
  expect(portal.logged.some(({ msg }) => msg === 'forged')).toBe(false)
})

test('the eleventh report in a minute gets the same answer and is not logged', async () => {
  portal.advance(61)
  const before = lines().length
  for (let count = 0; count < 12; count++)
    expect((await portal.browser().post('/client-errors', crash)).statusCode).toBe(204)
  expect(lines().length).toBe(before + 10)
  portal.advance(61)
  await portal.browser().post('/client-errors', crash)
  expect(lines().length).toBe(before + 11)
})
