import i18next from 'i18next'
import { expect, test } from 'vitest'
import swedish from '#locales/sv/translation.json' with { type: 'json' }
import { deliveryNotice } from './delivery-notice.ts'

const i18n = i18next.createInstance()
await i18n.init({ lng: 'sv', resources: { sv: { translation: swedish } }, interpolation: { escapeValue: false } })

const mail = { sentAt: '2026-03-01T10:00:00Z', expiresAt: '2999-01-01T10:00:00Z', accepted: false }
const told = (delivery: 'queued' | 'failed' | 'dropped', reason: string | null) =>
  deliveryNotice({ delivery: { ...mail, delivery, reason }, email: 'nina@example.com', t: i18n.t, language: 'sv' })

test.each([
  ['451 4.3.0 Try later', 'Orsak: 451 4.3.0 Try later'],
  ['SMTP RCPT TO 451', 'Orsak: E-postservern bad oss försöka senare (451).'],
  ['SMTP CONN ECONNREFUSED', 'Orsak: E-postservern går inte att nå (ECONNREFUSED).'],
  ['SMTP ETIMEDOUT', 'Orsak: E-postservern går inte att nå (ETIMEDOUT).'],
  ['SMTP RCPT TO 550', 'Orsak: Mottagarens e-postserver tar inte emot mejl till adressen (550).'],
])('an inviter reads why a mail waits, failed or was dropped: %s', (reason, words) => {
  expect(told('queued', reason)).toMatchObject({ tone: 'warn', title: 'Inbjudan är försenad' })
  for (const state of ['queued', 'failed', 'dropped'] as const) expect(told(state, reason).text).toContain(words)
})

test('a mail that is simply on its way has no reason', () => {
  expect(told('queued', null)).toMatchObject({ tone: 'info', title: 'Inbjudan är på väg' })
  expect(told('queued', null).text).not.toContain('Orsak')
})
