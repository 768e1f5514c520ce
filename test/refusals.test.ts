import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from './test-app.ts'

// What is refused before a use case is reached: a person in a browser gets a page, a program JSON.

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const form = 'application/x-www-form-urlencoded'
interface Refused {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  url: string
  headers?: Record<string, string>
  payload?: string
  status: number
  message: string
}

const refused: Record<string, Refused> = {
  'an unknown address': { method: 'GET', url: '/nowhere', status: 404, message: 'notFound' },
  'an unknown address with a body of any type': {
    ...{ method: 'POST', url: '/nowhere', headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
    ...{ status: 404, message: 'notFound' },
  },
  'an address that cannot be decoded': { method: 'GET', url: '/%zz', status: 400, message: 'malformedRequest' },
  'a segment that is too long': {
    ...{ method: 'GET', url: `/accept-invitation/${'a'.repeat(201)}`, status: 404, message: 'notFound' },
  },
  'a form posted to a screen': {
    ...{ method: 'POST', url: '/account', headers: { 'content-type': form }, payload: 'a=b' },
    ...{ status: 405, message: 'methodNotAllowed' },
  },
  'the address of answers of identity providers, opened': {
    ...{ method: 'GET', url: '/saml/1/acs', status: 405, message: 'methodNotAllowed' },
  },
  'a method that no address has': { method: 'PATCH', url: '/login', status: 405, message: 'methodNotAllowed' },
  'OPTIONS of a page': { method: 'OPTIONS', url: '/login', status: 405, message: 'methodNotAllowed' },
  'DELETE of the provider': { method: 'DELETE', url: '/oidc/auth', status: 405, message: 'methodNotAllowed' },
  'a form that is too large': {
    ...{ method: 'POST', url: '/logout', headers: { 'content-type': form }, payload: `a=${'x'.repeat(100_000)}` },
    ...{ status: 413, message: 'tooLarge' },
  },
  'a body of another type': {
    ...{ method: 'POST', url: '/logout', headers: { 'content-type': 'application/json' }, payload: '{}' },
    ...{ status: 415, message: 'unsupportedType' },
  },
  'a form from another site': {
    ...{ method: 'POST', url: '/logout', headers: { 'content-type': form, 'sec-fetch-site': 'cross-site' } },
    ...{ payload: 'a=b', status: 403, message: 'crossOrigin' },
  },
  'another host': {
    method: 'GET',
    url: '/login',
    headers: { host: 'evil.example' },
    status: 421,
    message: 'unknownHost',
  },
  'too many cookies': {
    ...{ method: 'GET', url: '/login', headers: { cookie: `a=${'x'.repeat(20_000)}` } },
    ...{ status: 431, message: 'headersTooLarge' },
  },
}

const send = ({ method, url, headers, payload }: Refused, more: Record<string, string>) =>
  portal.app.inject({
    ...{ method, url, headers: { host: 'portal.test', 'sec-fetch-site': 'same-origin', ...more, ...headers } },
    ...(payload !== undefined && { payload }),
  })
const asBrowser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-dest': 'document', 'accept-language': 'fi' }

describe.each(Object.entries(refused))('%s', (_, request) => {
  test('is a page for a person', async () => {
    const { statusCode, headers, body } = await send(request, asBrowser)
    expect([statusCode, headers['content-type']]).toEqual([request.status, 'text/html; charset=utf-8'])
    expect(body).toContain('<html lang="fi"')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('is JSON for a program', async () => {
    for (const accept of ['application/json', '*/*']) {
      const { statusCode, headers, json } = await send(request, { accept })
      expect([statusCode, json()]).toEqual([
        request.status,
        { message: request.message, requestId: headers['x-request-id'] },
      ])
    }
  })
})

test('a wrong method is told which ones there are, of an address with a name in it too, and of no other address', async () => {
  const allowed = async (method: Refused['method'], url: string) => {
    const { statusCode, headers } = await send({ method, url, status: 0, message: '' }, {})
    return [statusCode, headers.allow]
  }
  expect(await allowed('POST', '/account')).toEqual([405, 'GET, HEAD'])
  expect(await allowed('PATCH', '/api/users')).toEqual([405, 'GET, HEAD, POST, PUT'])
  expect(await allowed('GET', '/saml/7/acs')).toEqual([405, 'POST'])
  expect(await allowed('PATCH', '/api/nowhere')).toEqual([404, undefined])
  expect(await allowed('GET', '/api/nowhere/x')).toEqual([404, undefined])
})

test('HEAD is answered like GET, without a body', async () => {
  for (const url of ['/login', '/nowhere', '/saml/1/acs']) {
    const request = { url, headers: { host: 'portal.test', ...asBrowser } }
    const [head, get] = [
      await portal.app.inject({ method: 'HEAD', ...request }),
      await portal.app.inject({ method: 'GET', ...request }),
    ]
    expect([url, head.statusCode, head.body]).toEqual([url, get.statusCode, ''])
  }
})
