import { expect, test } from 'vitest'
import { type Operation, patchResource } from './patch.ts'
import { userAttributes } from './schema.ts'

const patched = (before: object, ...operations: Operation[]) =>
  patchResource(userAttributes, { ...before }, operations, [])

test('an address that a directory sends again stays one, though it has no value to compare', () => {
  const addresses = [{ type: 'work', locality: 'Umeå' }]
  const add = { op: 'add', path: 'addresses', value: addresses } as const
  expect(patched({}, add)).toEqual({ addresses })
  expect(patched({}, add, add)).toEqual({ addresses })
  const home = [{ type: 'home', locality: 'Luleå' }]
  expect(patched({}, add, { ...add, value: home })).toEqual({ addresses: [...addresses, ...home] })
})

test('of several values the newest primary one is primary; a single one stays, and so do those that are not', () => {
  const [old, next] = ['old@customer.example', 'new@customer.example']
  const before = { emails: [{ value: old, primary: true }, { value: 'other@customer.example' }] }
  const add = (primary: boolean) => ({ op: 'add', path: 'emails', value: [{ value: next, primary }] }) as const
  const primaries = (resource: ReturnType<typeof patched>) =>
    (resource.emails as { value: string; primary?: boolean }[]).filter((one) => one.primary).map(({ value }) => value)
  expect(primaries(patched(before, add(true)))).toEqual([next])
  expect(primaries(patched(before, add(false)))).toEqual([old])
  expect(primaries(patched({ emails: [] }, add(true)))).toEqual([next])
  const known = { emails: [...before.emails, { value: next }] }
  const both = [
    { value: old, primary: true },
    { value: next, primary: true },
  ]
  expect(primaries(patched(known, { op: 'replace', path: 'emails', value: both }))).toEqual([next])
  const twice = [
    { value: old, primary: true, display: 'first' },
    { value: old, primary: true },
  ]
  const { emails } = patched(before, { op: 'replace', path: 'emails', value: twice })
  expect((emails as object[])[0]).toEqual(twice[0])
})

test('removing some of several values removes those, and no others', () => {
  const emails = ['a', 'b', 'c'].map((name) => ({ value: `${name}@customer.example` }))
  const value = [{ value: 'A@customer.example' }, { value: 'c@customer.example' }]
  expect(patched({ emails }, { op: 'remove', path: 'emails', value })).toEqual({ emails: [emails[1]] })
})

test('a value that a directory adds without an address takes the place of none that has one', () => {
  const emails = [{ value: 'a@customer.example' }]
  const value = [{ display: 'none yet' }]
  expect(patched({ emails }, { op: 'add', path: 'emails', value })).toEqual({ emails: [...emails, ...value] })
  const added = { op: 'add', path: 'emails', value: emails } as const
  expect(patched({ emails: value }, added)).toEqual({ emails: [...value, ...emails] })
})
