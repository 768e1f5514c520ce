import { expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

test.each([
  '/',
  '/account',
  '/users?page=2&searchQuery=%C3%A5sa',
  '/user-administration/01a1fd81-4625-763d-b404-0ad7e683a44a#general',
  '/oidc/auth?client_id=journal&redirect_uri=https%3A%2F%2Fservice.example%2Fcallback',
])('a path on this origin is where a sign-in may lead: %s', (path) => {
  expect(safeReturnTo(path)).toBe(path)
})

test.each([
  undefined,
  '',
  'account',
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2Fevil.example',
  '/%2f%2fevil.example',
  '/%5Cevil.example',
  '/%255Cevil.example',
  '/%252Fevil.example',
  '/..//evil.example',
  '/a/..//../evil\\example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/%09/evil.example',
  '/%00',
  ' /account',
  '/account\u0000',
  '/%',
  'javascript:alert(1)',
  `/${'a'.repeat(5000)}`,
])('anything else leads to the start: %s', (text) => {
  expect(safeReturnTo(text)).toBe('/')
})

test.each([
  '/login',
  '/login?returnTo=/login',
  '/logout',
  '/signed-in?state=x',
  '/interaction/x',
  '/api/me',
  '/session-expired',
  '/oidc/session/end',
  '/oidc/auth',
  '/oidc/auth?prompt=none',
])('an address that does something or leads in a circle is no goal: %s', (path) => {
  expect(safeReturnTo(path)).toBe('/')
})

test.each([
  ['/日本', '/%E6%97%A5%E6%9C%AC'],
  ['/konto?namn=Åsa#början', '/konto?namn=%C3%85sa#b%C3%B6rjan'],
  ['/\ud800', '/%EF%BF%BD'],
  ['/a/../account', '/account'],
])('an address leads there as it travels in a header: %s', (path, travels) => {
  expect(safeReturnTo(path)).toBe(travels)
})
