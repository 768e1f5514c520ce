import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankIdPeople } from '#server/demo/bankid-people.ts'
import { createOrders } from './orders.ts'
import { createPhoneApp } from './phone-app.ts'
import { servePhoneApp } from './phone-app-server.ts'

const orders = createOrders(() => new Date())
let phone: Awaited<ReturnType<typeof servePhoneApp>>
beforeAll(async () => {
  phone = await servePhoneApp(createPhoneApp({ orders, people: bankIdPeople(), path: '/app' }))
})
afterAll(() => phone?.close())

const act = (fields: Record<string, string>, site = 'same-origin') =>
  fetch(phone.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': site },
    body: new URLSearchParams(fields),
  })

test('the phone app by itself opens an order, and identifies in it', async () => {
  const { id, orderRef } = orders.begin({ endUserIp: '192.0.2.7', text: 'Välkommen', returnRisk: true })
  expect(await (await fetch(`${phone.url}/waiting`)).json()).toMatchObject([{ id, text: 'Välkommen' }])
  const opened = await act({ action: 'pick', order: id })
  const page = await (await fetch(new URL(opened.headers.get('location') ?? '', phone.url))).text()
  expect(page).toContain('Helena Havström')
  await act({ action: 'identify', order: id, person: '197908082386' })
  expect(orders.collect(orderRef)).toMatchObject({ progress: { status: 'complete' } })
})

test('an app opened on the same device returns to the browser', async () => {
  const returnUrl = 'https://portal.example/interaction/x/bankid/back?nonce=y'
  const { autoStartToken, id } = orders.begin({ endUserIp: '192.0.2.7', text: null, returnRisk: true, returnUrl })
  const opened = await fetch(`${phone.url}?autostarttoken=${autoStartToken}`)
  // The browser follows a form's redirect only if the page's policy allows it.
  expect(opened.headers.get('content-security-policy')).toMatch(/form-action [^;]*https:/)
  const { headers } = await act({ action: 'identify', order: id, person: '197908082386' })
  expect(headers.get('location')).toBe(returnUrl)
})

test('a page of another origin cannot use it', async () => {
  const { id } = orders.begin({ endUserIp: '192.0.2.7', text: null, returnRisk: true })
  expect((await act({ action: 'pick', order: id }, 'cross-site')).status).toBe(403)
  expect(orders.opened(id)).toBeUndefined()
})

test.each([
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
])('its %s is there, and nothing else is', async (ending, type) => {
  expect((await fetch(`${phone.url}${ending}`)).headers.get('content-type')).toContain(type)
  expect((await fetch(`${phone.url}/other`)).status).toBe(404)
})
