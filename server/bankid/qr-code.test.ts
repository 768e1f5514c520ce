import { expect, test } from 'vitest'
import { createQrCodeContent } from './qr-code.ts'

const order = {
  qrStartToken: '67df3917-fa0d-44e5-b327-edcc928297f8',
  qrStartSecret: 'd28db9a7-4cde-429e-a983-359be676944c',
}

test.each([
  [0, 'dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'],
  [1, '949d559bf234'],
  [2, 'a9e5ec59cb4e'],
])("BankID's own example of second %i", (second, code) => {
  expect(createQrCodeContent(order, second)).toMatch(
    new RegExp(`^bankid\\.${order.qrStartToken}\\.${second}\\.${code}[0-9a-f]*$`),
  )
  expect(createQrCodeContent(order, second).split('.')[3]).toHaveLength(64)
})
