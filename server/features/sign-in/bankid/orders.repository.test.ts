import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'
import { newOrder } from './advance-order.ts'
import { claimOrder, saveProgress, storeOrder } from './orders.repository.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

test('of many concurrent claims one may call BankID, and the next after two seconds, or twelve if the claim was lost', async () => {
  const { db } = portal.system
  const email = 'someone@havsvik.example'
  const claims = async () => {
    const all = Array.from({ length: 8 }, () => claimOrder(db, 'uid', portal.now()))
    return (await Promise.all(all)).flatMap((claimed) => (claimed ? [claimed] : []))
  }
  await storeOrder(db, 'uid', email, newOrder('other', portal.now()), portal.now())
  const [first, ...others] = await claims()
  expect(others).toEqual([])

  // The claim was lost: its result is never stored.
  portal.advance(11)
  expect(await claims()).toEqual([])
  portal.advance(1)
  const [second, ...more] = await claims()
  expect(more).toEqual([])

  const keep = (claim = '') => {
    const now = portal.now()
    return saveProgress(db, 'uid', { claim, order: newOrder('other', now), nextAt: now.getTime() + 2000, now })
  }
  expect(await keep(first?.claim)).toBe(false)
  expect(await keep(second?.claim)).toBe(true)
  portal.advance(1)
  expect(await claims()).toEqual([])
  portal.advance(1)
  expect(await claims()).toHaveLength(1)
})
