import { expect, test } from 'vitest'
import { createIdempotencyKeys, keyLifetime } from './idempotency-keys.ts'

function keysAt(start = 0) {
  const clock = { now: start }
  return { clock, keys: createIdempotencyKeys(() => clock.now) }
}

test('the same change sent twice at once has one key, another has its own', () => {
  const { keys } = keysAt()
  const key = keys.keyOf('POST /api/invites {"email":"a@x.se"}')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(keys.keyOf('POST /api/invites {"email":"a@x.se"}')).toBe(key)
  expect(keys.keyOf('POST /api/invites {"email":"b@x.se"}')).not.toBe(key)
})

test('a change that was answered is a new wish the next time', () => {
  const { keys } = keysAt()
  const key = keys.keyOf('DELETE /api/users/1')
  keys.settle('DELETE /api/users/1', key)
  expect(keys.keyOf('DELETE /api/users/1')).not.toBe(key)
})

test('a late answer to the first does not end the second', () => {
  const { keys } = keysAt()
  const first = keys.keyOf('DELETE /api/users/1')
  keys.settle('DELETE /api/users/1', first)
  const second = keys.keyOf('DELETE /api/users/1')
  keys.settle('DELETE /api/users/1', first)
  expect(keys.keyOf('DELETE /api/users/1')).toBe(second)
})

test('a change whose answer was lost keeps its key for a while', () => {
  const { clock, keys } = keysAt()
  const key = keys.keyOf('PUT /api/users {}')
  clock.now += keyLifetime - 1
  expect(keys.keyOf('PUT /api/users {}')).toBe(key)
  clock.now += 1
  expect(keys.keyOf('PUT /api/users {}')).not.toBe(key)
})
