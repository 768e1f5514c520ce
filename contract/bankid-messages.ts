import type { MessageKey } from './message-key.ts'

/**
 * What a BankID order can tell its person, by BankID's own numbers of its recommended user messages
 * (https://developers.bankid.com, "Recommended user messages"). Swedish and English are BankID's words, but for the
 * English of 24 to 30, which BankID has in Swedish alone.
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

/** Key of a message that a BankID order has for its person. */
export type BankIdMessage = (typeof bankIdMessages)[number]
