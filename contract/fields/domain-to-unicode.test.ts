import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { domainToUnicode } from './domain-to-unicode.ts'
import { email } from './fields.ts'

describe('an address in a domain with letters beyond ASCII', () => {
  test.each(['åsa@FJÄLLRÅ.se', 'åsa@xn--fjllr-hrak.se', ' Åsa@XN--FJLLR-HRAK.SE ', 'åsa@fja\u0308llra\u030a.se'])(
    'is one and the same however it is written: %s',
    (written) => {
      expect(z.parse(email, written)).toBe('åsa@fjällrå.se')
    },
  )

  test.each(['fjällrå.se', 'räksmörgås.example', 'bücher.example', 'пример.испытание', '例え.テスト', '한국.example'])(
    'reads as it is written, and travels as before: %s',
    (domain) => {
      expect(domainToUnicode(new URL(`http://${domain}`).hostname)).toBe(domain)
    },
  )

  test.each([
    'xn--.se',
    'xn--a.se',
    'xn--99999999999.se',
    'xn--FJLLR-gra3p',
    'xn--fjllr-hrak\u0000.se',
    `xn--${'9'.repeat(200)}.se`,
    // It decodes to plain ASCII, or the decoded text has a different encoding.
    'xn--abc-.se',
    'nordvik.example',
  ])('stays unchanged when it cannot be decoded: %j', (domain) => {
    expect(domainToUnicode(domain)).toBe(domain)
  })
})
