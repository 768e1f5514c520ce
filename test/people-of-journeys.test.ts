import { expect, test } from 'vitest'
import { people } from '../e2e/people.ts'

test('no two roles of the journeys are played by one person: journeys run side by side and end sessions', () => {
  const emails = Object.values(people)
  expect(emails.filter((email, index) => emails.indexOf(email) !== index)).toEqual([])
})
