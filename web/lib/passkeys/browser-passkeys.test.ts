import { expect, test } from 'vitest'
import { faultOf, faultOfMaking } from './browser-passkeys.ts'

test.each([
  ['NotAllowedError', undefined, undefined],
  ['AbortError', undefined, undefined],
  ['SecurityError', 'passkeyWrongAddress', 'passkeyWrongAddress'],
  ['InvalidStateError', 'passkeyFailed', 'passkeyExists'],
  ['NotSupportedError', 'passkeyNotSupported', 'passkeyNotSupported'],
  ['ConstraintError', 'passkeyNoVerification', 'passkeyNoVerification'],
  ['UnknownError', 'passkeyFailed', 'passkeyFailed'],
  ['TypeError', 'passkeyFailed', 'passkeyFailed'],
])('%s is told as %s, and while a key is made as %s', (name, used, made) => {
  // Password managers throw objects of their own.
  for (const error of [new DOMException('', name), Object.assign(new Error('own'), { name }), { name }])
    expect([faultOf(error), faultOfMaking(error)]).toEqual([used, made])
})

test('what is no error at all is a fault', () => {
  for (const error of [undefined, null, 'cancelled', 7]) expect(faultOf(error)).toBe('passkeyFailed')
})
