import type { BankIdOrder } from '#server/bankid/bankid.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import { hashToken } from '#server/platform/secrets/tokens.ts'

// An order lives for minutes, so it uses the cookie key and is not re-encrypted when keys rotate.
const key = 'cookies'
const cell = (uid: string) => ({ table: 'one_time_things', column: 'data', row: hashToken(uid).toString('hex') })

/** Encrypts BankID's answer, bound to this interaction. */
export const sealOrder = (keys: Keys, uid: string, order: BankIdOrder): string =>
  seal(keys, key, cell(uid), JSON.stringify(order)).toString('base64')

export const openOrder = async (keys: Keys, uid: string, sealed: string): Promise<BankIdOrder> =>
  JSON.parse((await unseal(keys, cell(uid), Buffer.from(sealed, 'base64'))).toString('utf8')) as BankIdOrder
