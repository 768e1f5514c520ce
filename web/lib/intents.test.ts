import { expect, test } from 'vitest'
import { createIntents, intentLasts } from './intents.ts'

function intentsAt(start = 0) {
  const clock = { now: start }
  return { clock, intents: createIntents(() => clock.now) }
}

test('the same change sent twice at once has one key, another has its own', () => {
  const { intents } = intentsAt()
  const key = intents.keyOf('POST /api/invites {"email":"a@x.se"}')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(intents.keyOf('POST /api/invites {"email":"a@x.se"}')).toBe(key)
  expect(intents.keyOf('POST /api/invites {"email":"b@x.se"}')).not.toBe(key)
})

test('a change that was answered is a new wish the next time', () => {
  const { intents } = intentsAt()
  const key = intents.keyOf('DELETE /api/users/1')
  intents.settle('DELETE /api/users/1', key)
  expect(intents.keyOf('DELETE /api/users/1')).not.toBe(key)
})

test('a late answer to the first does not end the second', () => {
  const { intents } = intentsAt()
  const first = intents.keyOf('DELETE /api/users/1')
  intents.settle('DELETE /api/users/1', first)
  const second = intents.keyOf('DELETE /api/users/1')
  intents.settle('DELETE /api/users/1', first)
  expect(intents.keyOf('DELETE /api/users/1')).toBe(second)
})

test('a change whose answer was lost keeps its key for a while', () => {
  const { clock, intents } = intentsAt()
  const key = intents.keyOf('PUT /api/users {}')
  clock.now += intentLasts - 1
  expect(intents.keyOf('PUT /api/users {}')).toBe(key)
  clock.now += 1
  expect(intents.keyOf('PUT /api/users {}')).not.toBe(key)
})
