import type { BankIdOrder } from '#server/platform/bankid.ts'
import type { Keys } from '#server/platform/keys.ts'
import { open, seal } from '#server/platform/sealing.ts'
import { hashToken } from '#server/platform/tokens.ts'

// The key of what lives no longer than a session: an order lives minutes, and is not sealed anew when keys rotate.
const key = 'cookies'
const cell = (uid: string) => ({ table: 'one_time_things', column: 'data', row: hashToken(uid).toString('hex') })

/** What BankID gave out, sealed for this interaction alone. */
export const sealOrder = (keys: Keys, uid: string, order: BankIdOrder): string =>
  seal(keys, key, cell(uid), JSON.stringify(order)).toString('base64')

export const openOrder = async (keys: Keys, uid: string, sealed: string): Promise<BankIdOrder> =>
  JSON.parse((await open(keys, cell(uid), Buffer.from(sealed, 'base64'))).toString('utf8')) as BankIdOrder
