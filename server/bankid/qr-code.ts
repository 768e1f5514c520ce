import { createHmac } from 'node:crypto'
import type { BankIdOrder } from './bankid.ts'

/**
 * The content of BankID's animated QR code, which changes every second so that a copy is soon useless.
 *
 * @param second whole seconds since BankID answered with the order
 */
export function createQrCodeContent(
  { qrStartToken, qrStartSecret }: Pick<BankIdOrder, 'qrStartToken' | 'qrStartSecret'>,
  second: number,
): string {
  const code = createHmac('sha256', qrStartSecret).update(String(second)).digest('hex')
  return `bankid.${qrStartToken}.${second}.${code}`
}
