import { createHmac } from 'node:crypto'
import type { BankIdOrder } from '#server/platform/bankid.ts'

/**
 * What BankID's animated QR code says in a second of an order's life: a copy of it is of no use a moment later.
 *
 * @param second whole seconds since BankID answered with the order
 */
export function qrCode(
  { qrStartToken, qrStartSecret }: Pick<BankIdOrder, 'qrStartToken' | 'qrStartSecret'>,
  second: number,
): string {
  const code = createHmac('sha256', qrStartSecret).update(String(second)).digest('hex')
  return `bankid.${qrStartToken}.${second}.${code}`
}
