import { expect, test } from 'vitest'
import { createQrCodeContent } from '#server/bankid/qr-code.ts'
import { createOrders } from './orders.ts'

test('a code that is old, forged, from the future or unknown opens nothing', () => {
  let time = 0
  const orders = createOrders(() => new Date(time))
  const order = orders.begin({ endUserIp: '192.0.2.7', text: null, returnRisk: true })
  const fresh = createQrCodeContent(order, 12)
  expect(orders.scan(fresh)).toBeUndefined()
  time = 12_000
  const forged = `${fresh.slice(0, -1)}${fresh.endsWith('0') ? '1' : '0'}`
  expect(orders.scan(forged)).toBeUndefined()
  expect(orders.scan(createQrCodeContent(order, 1))).toBeUndefined()
  expect(orders.scan(fresh.replace(order.qrStartToken, '67df3917-fa0d-44e5-b327-edcc928297f8'))).toBeUndefined()
  expect(orders.scan('https://portal.test')).toBeUndefined()
  expect(orders.scan(fresh)?.orderRef).toBe(order.orderRef)
  // Once.
  expect(orders.scan(fresh)).toBeUndefined()
})
