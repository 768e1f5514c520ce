import type { MessageKey } from '#contract/message-key.ts'

/**
 * The messages of a BankID order, numbered as in BankID's recommended user messages (https://developers.bankid.com,
 * "Recommended user messages"). The Swedish and English texts are BankID's, except the English of 24 to 30, which BankID
 * publishes only in Swedish.
 */
export const bankIdMessages = [
  'rfa1',
  'rfa3',
  'rfa4',
  'rfa5',
  'rfa6',
  'rfa8',
  'rfa9',
  'rfa13',
  'rfa15a',
  'rfa15b',
  'rfa16',
  'rfa17a',
  'rfa17b',
  'rfa21',
  'rfa22',
  'rfa23',
  'rfa24',
  'rfa25',
  'rfa26',
  'rfa27',
  'rfa28',
  'rfa30',
] as const satisfies readonly MessageKey[]

/** Key of a message of a BankID order. */
export type BankIdMessage = (typeof bankIdMessages)[number]
