import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { passwordReset } from '#contract/password-reset/password-reset.ts'
import { enteredPassword, matchesField, newPassword } from './password.ts'
import { passwordRules } from './password-rules.ts'

const problemsOf = (value: unknown) => newPassword.safeParse(value).error?.issues.map((issue) => issue.message) ?? []

test.each([
  ['', 'required'],
  [undefined, 'required'],
  ['Kort-1', 'passwordTooShort'],
  ['ElvaTecken1', 'passwordTooShort'],
  ['utan-versaler-1', 'passwordInvalidPattern'],
  ['UTAN-GEMENER-1', 'passwordInvalidPattern'],
  ['Utan-siffror-alls', 'passwordInvalidPattern'],
  ['UtanSpecialtecken1', 'passwordInvalidPattern'],
  ['Utan specialtecken 1', 'passwordInvalidPattern'],
  [`Lång-1${'a'.repeat(251)}`, 'tooLong'],
  ['Med-ett-noll-1\u0000', 'invalidText'],
  ['Halvt-tecken-1\ud800', 'invalidText'],
])('%j is refused with %s', (password, problem) => {
  expect(problemsOf(password)).toEqual([problem])
})

test.each([
  'Demo-password-1',
  'ÅÄÖ-åäö-12345',
  `Lång-1${'a'.repeat(250)}`,
  'Blanka tecken går bra 1!',
  '  Omgiven-1234  ',
])('%j is taken as it is', (password) => {
  expect(newPassword.parse(password)).toBe(password)
})

test('every special character of the rules counts', () => {
  for (const special of "!@#$%^&*_-+=~.,?'`:;{}[]()<>/|")
    expect(problemsOf(`Abcdefghijk1${special}`), special).toEqual([])
  for (const other of '"\\ §€') expect(problemsOf(`Abcdefghijk1${other}`), other).toEqual(['passwordInvalidPattern'])
})

test('the checklist has no unmet line exactly when the password is taken', () => {
  for (const password of ['Demo-password-1', 'kort', 'Utan-siffror-alls', 'ElvaTecken1'])
    expect(passwordRules.every((rule) => rule.isMet(password))).toBe(problemsOf(password).length === 0)
})

test('a different confirmation is reported at the field of the confirmation', () => {
  const form = z.strictObject({ newPassword, confirmNewPassword: z.string() }).check(matchesField('newPassword'))
  const result = form.safeParse({ newPassword: 'Demo-password-1', confirmNewPassword: 'Demo-password-2' })
  expect(result.error?.issues).toMatchObject([{ path: ['confirmNewPassword'], message: 'passwordsDoNotMatch' }])
  expect(form.safeParse({ newPassword: 'Demo-password-1', confirmNewPassword: 'Demo-password-1' }).success).toBe(true)
})

test('signing in accepts any password except an empty one', () => {
  expect(enteredPassword.safeParse('x').success).toBe(true)
  expect(enteredPassword.safeParse('').error?.issues[0]?.message).toBe('required')
})

test('an empty repetition is to be filled in, beside what is wrong with the password', () => {
  const form = { email: 'a@x.example', token: 't', newPassword: '', confirmNewPassword: '' }
  expect(passwordReset.safeParse(form).error?.issues).toMatchObject([
    { path: ['newPassword'], message: 'required' },
    { path: ['confirmNewPassword'], message: 'required' },
  ])
})
