import { expect, test } from 'vitest'
import { newPassword } from '#contract/fields/password.ts'
import { rejectGuessablePassword } from './password-policy.ts'

const owner = {
  email: 'eva.lindqvist@nordvik.example',
  firstName: 'Eva',
  lastName: 'Lindqvist',
  organizations: ['Nordvik AB'],
}
const refused = { status: 422, issues: [{ path: 'newPassword', message: 'passwordTooCommon' }] }
const choose = (password: string) => () => rejectGuessablePassword(newPassword.parse(password), owner, 'newPassword')

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
  'Mypassword123!',
  'Sommaren2026!',
  'Aa1234567890!',
  'aA-9876543210',
  'Ab#11111111111',
  'Zaq1xsw2cde3!',
])('the common password %s is refused', (password) => {
  expect(choose(password)).toThrowError(expect.objectContaining(refused))
})

test.each(['Lindqvist-1987!', 'Min-l1ndqvist-9', 'Nordvik-i-norr-1', 'Jag@NORDVIK-123', 'Lïndqvist-hej-1'])(
  "%s holds the person's own name, address or organisation and is refused",
  (password) => {
    expect(choose(password)).toThrowError(expect.objectContaining(refused))
  },
)

test.each(['BoEk-1234-7788', 'Ek!Bo!998877', 'Bo!!!19870412ek', '!!!Sj-1987-0412', 'Sj.ab.1987.04!'])(
  '%s is nothing but short names of the own, and is refused',
  (password) => {
    const short = { email: 'bo.ek@sj.example', firstName: 'Bo', lastName: 'Ek', organizations: ['SJ AB'] }
    const choice = () => rejectGuessablePassword(newPassword.parse(password), short, 'newPassword')
    expect(choice).toThrowError(expect.objectContaining(refused))
  },
)

test('short names do not forbid words that contain them', () => {
  const short = { email: 'bo.ek@sj.example', firstName: 'Bo', lastName: 'Ek', organizations: ['SJ AB'] }
  for (const password of ['Ekollon-i-bokskog-7', 'Sjunde-himlen-88', 'Bordets-eka-4-ro'])
    expect(() => rejectGuessablePassword(newPassword.parse(password), short, 'newPassword')).not.toThrow()
})

test.each([
  'Demo-password-2',
  'Korrekt-häst-9-batteri',
  'Medevi-brunn-1678!',
  'x9#Kvarnstensgränd',
  '9#4Kx$82!71?',
  '8-As=41,77+2',
  'Dragonfrukt-till-4',
  'Ab#19283746550',
  'Vårens-första-dag-9',
])('%s is taken', (password) => {
  expect(choose(password)).not.toThrow()
})
