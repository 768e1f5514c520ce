import { describe, expect, it } from 'vitest'
import { languages } from '#contract/roles.ts'
import { smsParts } from './sms-parts.ts'
import { renderSms } from './sms-texts.ts'

const portal = { baseUrl: 'https://portal.a-rather-long-company-name.example:8443' }
const sms = (language: (typeof languages)[number]) =>
  renderSms({ template: 'login-code', language, values: { code: '048213', minutes: 10 }, portal })

describe('the text message with a login code', () => {
  it.each(languages)('is one message of the GSM alphabet in %s', (language) => {
    expect(smsParts(sms(language))).toEqual({ alphabet: 'gsm7', parts: 1 })
  })

  it.each(languages)(
    'says the code and how long it lives, and ends with the line for the browser, in %s',
    (language) => {
      const [sentence = '', blank, last, ...rest] = sms(language).split('\n')
      expect(sentence).toContain('048213')
      expect(sentence).toContain('10 minu')
      expect(sentence).not.toContain('{{')
      expect([blank, last, rest]).toEqual(['', '@portal.a-rather-long-company-name.example #048213', []])
    },
  )

  it('is worded in each language', () => {
    expect(new Set(languages.map(sms)).size).toBe(languages.length)
  })
})

describe('the length of a text message', () => {
  it.each([
    ['nothing', '', 'gsm7', 1],
    ['160 letters', 'å'.repeat(160), 'gsm7', 1],
    ['161 letters', 'a'.repeat(161), 'gsm7', 2],
    ['two full parts', 'a'.repeat(306), 'gsm7', 2],
    ['one letter more than two full parts', 'a'.repeat(307), 'gsm7', 3],
    ['80 euro signs, two septets each', '€'.repeat(80), 'gsm7', 1],
    ['an escaped sign on the border, which is not cut in two', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm7', 3],
    ['70 letters with one outside the alphabet', `${'a'.repeat(69)}ç`, 'ucs2', 1],
    ['71 letters with one outside the alphabet', `${'a'.repeat(70)}ç`, 'ucs2', 2],
    ['35 emoji of two units', '🔑'.repeat(35), 'ucs2', 1],
    ['67 emoji, of which 33 fit in a part', '🔑'.repeat(67), 'ucs2', 3],
  ])('%s', (_, text, alphabet, parts) => {
    expect(smsParts(text)).toEqual({ alphabet, parts })
  })
})
