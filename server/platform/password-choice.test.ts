import { expect, test } from 'vitest'
import { newPassword } from '#contract/password.ts'
import { refuseGuessable } from './password-choice.ts'

const owner = {
  email: 'eva.lindqvist@nordvik.example',
  firstName: 'Eva',
  lastName: 'Lindqvist',
  organizations: ['Nordvik AB'],
}
const refused = { status: 422, issues: [{ path: 'newPassword', message: 'passwordTooCommon' }] }
const choose = (password: string) => () => refuseGuessable(newPassword.parse(password), owner, 'newPassword')

test.each([
  'Password123!',
  'P@ssw0rd1234',
  'Passw0rd!!!!',
  'PasswordPassword1!',
  'Qwerty123456!',
  'Sommar2026!!',
  'Lösenord-123',
  'Välkommen123!',
  '!!123Admin123!!',
  'Aaaaaaaaaaa1!',
  'Abcabcabcabc1!',
  'Abcdefghijk1!',
  'Qwertyuiop1!',
  'Motdepasse1!',
  'Salasana123!',
])('the common password %s is refused', (password) => {
  expect(choose(password)).toThrowError(expect.objectContaining(refused))
})

test.each(['Lindqvist-1987!', 'Min-l1ndqvist-9', 'Nordvik-i-norr-1', 'Jag@NORDVIK-123', 'Lïndqvist-hej-1'])(
  "%s holds the person's own name, address or organisation and is refused",
  (password) => {
    expect(choose(password)).toThrowError(expect.objectContaining(refused))
  },
)

test.each([
  'Demo-password-2',
  'Korrekt-häst-9-batteri',
  'Medevi-brunn-1678!',
  'x9#Kvarnstensgränd',
  '9#4Kx$82!71?',
  '8-As=41,77+2',
  'Vårens-första-dag-9',
])('%s is taken', (password) => {
  expect(choose(password)).not.toThrow()
})
