import { describe, expect, it } from 'vitest'
import { smsParts } from '#contract/email-templates/sms-parts.ts'
import { languages } from '#contract/roles.ts'
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

describe('the text message of a portal with a long name', () => {
  const host = (length: number) => {
    const labels = Array.from({ length: Math.ceil(length / 60) }, () => 'n'.repeat(59)).join('.')
    return `${labels.slice(0, length - 4).replace(/\.$/, 'n')}.com`
  }
  const from = (language: (typeof languages)[number], length: number) =>
    renderSms({
      template: 'login-code',
      language,
      values: { code: '048213', minutes: 10 },
      portal: { baseUrl: `https://${host(length)}` },
    })

  it.each(languages)('is shortened before it needs a second message, in %s', (language) => {
    const lengths = Array.from({ length: 100 }, (_, index) => index + 10)
    for (const length of lengths) {
      const text = from(language, length)
      expect([length, smsParts(text)]).toEqual([length, { alphabet: 'gsm7', parts: 1 }])
      expect(text).toMatch(/^.*048213.*\n\n@n[n.]*\.com #048213$/)
    }
    // As long as it fits, nothing is left out.
    const [whole, bare] = [from(language, 60), from(language, 109)]
    expect(whole).toContain('10 minu')
    expect(bare).not.toContain('10 minu')
  })

  it.each(languages)('keeps a very long host name even if it needs two messages, in %s', (language) => {
    const text = from(language, 253)
    expect(smsParts(text)).toEqual({ alphabet: 'gsm7', parts: 2 })
    expect(text.split('\n').at(-1)).toBe(`@${host(253)} #048213`)
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
