import { expect, test } from 'vitest'
import { fillPage, section, token, toPublicError } from './sign-in-page.ts'

const contact = {
  companyName: 'Portalbolaget',
  supportEmail: 'support@vestibule.example',
  supportPhone: '+46 8-123',
  privacyUrl: '/privacy',
  accessibilityUrl: '/accessibility',
}

test('a value lands in its place, escaped for texts and quoted attributes', () => {
  const filled = fillPage(`<input value="${token('email')}"><p>${token('companyName')}</p>`, {
    ...contact,
    email: `"><script>'&`,
  })
  expect(filled).toBe('<input value="&#34;&#62;&#60;script&#62;&#39;&#38;"><p>Portalbolaget</p>')
})

test('what a value says is never read as a place', () => {
  expect(fillPage(token('email'), { ...contact, email: '%companyName%%?error%x%/error%' })).toBe(
    '%companyName%%?error%x%/error%',
  )
})

test('a section is kept only if its value is not empty', () => {
  const { start, end } = section('error')
  const page = `a${start}<b>${token('errorText')}</b>\n${end}c`
  expect(fillPage(page, contact)).toBe('ac')
  expect(fillPage(page, { ...contact, error: 'tooBusy', errorText: 'Vänta' })).toBe('a<b>Vänta</b>\nc')
})

test('an address in a link and a number to dial follow from the values', () => {
  const page = `${token('emailParameter')} ${token('supportNumber')}`
  expect(fillPage(page, { ...contact, email: 'a+b@x.se' })).toBe('a%2Bb%40x.se +468123')
  expect(fillPage(page, { ...contact, email: '\ud800' })).toBe('%EF%BF%BD +468123')
})

test('percent signs of the page itself are left alone', () => {
  expect(fillPage('100% %2F% %unknown% %constructor%', contact)).toBe('100% %2F% %unknown% %constructor%')
})

test('an address cannot make the page say what it likes', () => {
  expect(toPublicError('invalidCredentials')).toBe('invalidCredentials')
  for (const key of ['call 070', 'constructor', '', 'productName'])
    expect(toPublicError(key)).toBe('genericErrorMessage')
})
