import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newCredential, usedCredential } from '#contract/passkeys/credentials.ts'
import { credentialJson, toCreationOptions, toRequestOptions } from './credential-json.ts'

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 })

/** The forms in which somebody may hold bytes. */
const forms: Record<string, (given: Uint8Array) => unknown> = {
  'an ArrayBuffer': (given) => Uint8Array.from(given).buffer,
  'a Uint8Array': (given) => Uint8Array.from(given),
  'a part of a longer buffer': (given) => new Uint8Array([7, ...given, 7]).subarray(1, -1),
  'a DataView': (given) => new DataView(Uint8Array.from(given).buffer),
  base64url: base64url,
  'a list of numbers': (given) => [...given],
  'a Uint8Array that went through JSON': (given) => JSON.parse(JSON.stringify(given)),
}

describe.each(Object.entries(forms))('a key whose bytes are %s', (_, form) => {
  test('is told as the server takes it', () => {
    fc.assert(
      fc.property(bytes, bytes, (id, said) => {
        const json = JSON.stringify(
          credentialJson({
            id: base64url(id),
            rawId: form(id),
            type: 'public-key',
            response: { clientDataJSON: form(said), attestationObject: form(said), transports: ['usb'] },
            clientExtensionResults: { credProps: { rk: true }, prf: { results: { first: form(said) } } },
          }),
        )
        expect(newCredential.parse(JSON.parse(json))).toEqual({
          id: base64url(id),
          rawId: base64url(id),
          type: 'public-key',
          clientExtensionResults: { credProps: { rk: true } },
          response: { clientDataJSON: base64url(said), attestationObject: base64url(said), transports: ['usb'] },
        })
      }),
    )
  })
})

test('nothing is asked of a key beyond its members, each of which may throw or be missing', () => {
  const never = () => {
    throw new TypeError('Illegal invocation')
  }
  const said = new Uint8Array([1])
  const response = { clientDataJSON: said, authenticatorData: said, signature: said, userHandle: null }
  const keys = [
    { id: 'AQ', response },
    { id: 'AQ', rawId: said, response, toJSON: never, getClientExtensionResults: never },
    { id: 'AQ', rawId: null, response: { ...response, getTransports: never }, clientExtensionResults: null },
  ]
  for (const key of keys)
    expect(usedCredential.parse(JSON.parse(JSON.stringify(credentialJson(key))))).toMatchObject({
      id: 'AQ',
      response: { clientDataJSON: 'AQ', authenticatorData: 'AQ', signature: 'AQ' },
    })
  expect(() => credentialJson({ id: 'AQ' })).toThrow(TypeError)
})

test('what the server asks for becomes bytes', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const text = base64url(given)
      const key = { id: text, type: 'public-key' as const, transports: ['usb'] }
      const made = toCreationOptions({
        challenge: text,
        rp: { id: 'portal.test', name: 'Portal' },
        user: { id: text, name: 'a@x.example', displayName: 'A' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        timeout: 1000,
        excludeCredentials: [key],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        extensions: { credProps: true },
      })
      expect(made).toMatchObject({ challenge: given, user: { id: given }, excludeCredentials: [{ ...key, id: given }] })
      const used = { challenge: text, rpId: 'portal.test', timeout: 1000, userVerification: 'required' as const }
      expect(toRequestOptions(used)).toEqual({ ...used, challenge: given, allowCredentials: [] })
      const listed = toRequestOptions({ ...used, allowCredentials: [key] })
      expect(listed.allowCredentials).toEqual([{ ...key, id: given }])
    }),
  )
})
