import { describe, expect, test } from 'vitest'
import { acceptForm } from '#contract/invitations.ts'
import { loginMethod } from '#contract/roles.ts'
import { acceptanceOf, type Draft, problemsIn } from './acceptance.ts'

const good = 'Brown-otter-42-lamp'
const draft: Draft = {
  firstName: 'Åsa',
  lastName: 'Öberg',
  ssn: '199908072391',
  password: good,
  confirmNewPassword: good,
}
const drafts: Partial<Draft>[] = [
  {},
  { firstName: '', lastName: '  ' },
  { firstName: 'x'.repeat(101) },
  { ssn: '19990807-2391' },
  { ssn: '199908072392' },
  { ssn: ' 199908072391 ' },
  { ssn: 'placeholder 1' },
  { password: 'Kort-1', confirmNewPassword: 'Kort-1' },
  { password: 'utan-versaler-1', confirmNewPassword: 'utan-versaler-1' },
  { password: `${good}${'x'.repeat(256)}`, confirmNewPassword: `${good}${'x'.repeat(256)}` },
  { confirmNewPassword: 'another' },
]
const asSent = (form: Draft, method: (typeof loginMethod.options)[number]) =>
  acceptForm.safeParse(acceptanceOf(form, { email: 'a@x.example', loginMethod: method }, 'token'))

describe.each(loginMethod.options)('the form for %s', (method) => {
  test.each(drafts)('finds in %o what the schema finds', (change) => {
    const form = { ...draft, ...change }
    const { success, error } = asSent(form, method)
    const found = problemsIn(form, method)
    expect(Object.keys(found).length === 0).toBe(success)
    for (const { path, message } of error?.issues ?? []) expect(found).toHaveProperty(path.join('.'), message)
  })

  test('asks for what the method needs', () => {
    const empty = { firstName: '', lastName: '', ssn: '', password: '', confirmNewPassword: '' }
    expect(problemsIn(empty, method)).toEqual({
      firstName: 'required',
      lastName: 'required',
      ...(method === 'bankid' && { ssn: 'requiredWithBankId' }),
      ...(method === 'saml' && { ssn: 'required' }),
      ...(method.startsWith('local') && { password: 'required', confirmNewPassword: 'required' }),
    })
  })
})
