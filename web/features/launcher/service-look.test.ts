import { expect, test } from 'vitest'
import { placeOf } from './service-look.ts'

const at = (...urls: string[]) => {
  const services = urls.map((url) => ({ url }))
  return urls.map((url) => placeOf(url, services))
}

test('a service alone on its host is told by the host', () => {
  expect(at('https://journal.example/app/', 'https://lon.example')).toEqual(['journal.example', 'lon.example'])
})

test('services on one host are told apart by their paths', () => {
  expect(
    at('https://nordvik.example/journal/', 'https://nordvik.example/?app=lon', 'https://nordvik.example/'),
  ).toEqual(['nordvik.example/journal', 'nordvik.example/?app=lon', 'nordvik.example'])
})
