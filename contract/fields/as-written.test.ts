import { expect, test } from 'vitest'
import { samlDomainForm } from '#contract/saml-configs/saml-domains.ts'
import { code } from '#contract/sign-in/second-factor.ts'
import { email, optionalText } from './fields.ts'
import { optionalName, requiredName } from './names.ts'
import { normalizedOrganizationNumber } from './organization-number.ts'

// Values as people write and copy them, in the one form that is stored.

test.each([
  '556677-8899',
  '5566778899',
  ' 556677 8899\u200b',
  '556677–8899',
  '55 66 77 88 99',
  '16556677-8899',
  '165566778899',
  'SE556677889901',
  'se 5566778899 01',
  '５５６６７７－８８９９',
])('the organisation number %j is stored as 556677-8899', (written) => {
  expect(normalizedOrganizationNumber(written)).toBe('556677-8899')
})

test.each(['1234567-8', '923 609 016', 'DE123456789', 'FR83404833048', '556677-889', '55667788990', 'Not known yet'])(
  'the number %j of another kind stays as it is',
  (written) => {
    expect(normalizedOrganizationNumber(` ${written} `)).toBe(written)
  },
)

test.each([
  'anna@acme.se',
  'mailto:Anna@Acme.se',
  '<anna@acme.se>',
  '\u200banna@acme.se\u00a0',
  '\ufeffanna@acme.se',
  'anna@acme.se;',
  '<anna@acme.se>, ',
])('the address %j is stored as anna@acme.se', (written) => {
  expect(email.parse(written)).toBe('anna@acme.se')
})

test.each(['Anna <anna@acme.se>', 'an\u200bna@acme.se', 'anna@acme.se, bo@acme.se', 'mailto:mailto:anna@acme.se'])(
  'the address %j is refused',
  (written) => {
    expect(email.safeParse(written).success).toBe(false)
  },
)

test.each(['acme.se', '@acme.se', 'https://acme.se', 'HTTPS://Acme.SE/', ' acme.se. ', 'acme.se\u200b'])(
  'the mail domain %j is stored as acme.se',
  (domain) => {
    expect(samlDomainForm.parse({ domain })).toEqual({ domain: 'acme.se' })
  },
)

test.each(['Anna  Maria', ' Anna\u00a0Maria ', 'Anna \u2003 Maria', 'An\u00adna Ma\u200bria\ufeff'])(
  'the name %j is stored as Anna Maria',
  (written) => {
    expect([requiredName().parse(written), optionalName().parse(written)]).toEqual(['Anna Maria', 'Anna Maria'])
  },
)

test('a name whose letters and marks stand apart is composed, and joiners of other scripts stay', () => {
  expect(requiredName().parse('A\u030asa')).toBe('Åsa')
  expect(requiredName().parse('می\u200cخواهم')).toBe('می\u200cخواهم')
  expect(requiredName(3).safeParse('\u0958\u0958\u0958').success).toBe(false)
})

test('an optional value in which nothing can be seen is none', () => {
  for (const written of ['', ' ', '\u202e', '\u200b\u00a0'])
    expect([optionalName().parse(written), optionalText().parse(written)]).toEqual([null, null])
})

test('a code may be typed in groups', () => {
  expect(code.parse(' 123 456')).toBe('123456')
  expect(code.safeParse('123 45').success).toBe(false)
})
