import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CodeDelivery } from '#contract/sign-in/second-factor.ts'
import { awaitSms } from './await-sms.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** An SMS has just been asked for; what is said of it takes so many ms. */
function waiting(answer: () => CodeDelivery, { takes = 20 } = {}) {
  const begin = Date.now()
  const asked: number[] = []
  const stuck: number[] = []
  const stop = awaitSms({
    ask: async () => {
      asked.push(Date.now() - begin)
      await new Promise((resolve) => setTimeout(resolve, takes))
      return { delivery: answer() }
    },
    onStuck: () => stuck.push(Date.now() - begin),
  })
  return { asked, stuck, stop }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test.each([20, 700, 60_000])(
  'an SMS that nothing is known of is waited for 2.1 s, where an answer takes %d ms',
  async (takes) => {
    const { asked, stuck } = waiting(() => 'queued', { takes })
    await pass(120_000)
    expect(stuck).toEqual([2100])
    expect(Math.max(...asked)).toBeLessThan(2100)
  },
)

test('one that failed is waited for no longer', async () => {
  const { asked, stuck } = waiting(() => 'failed')
  await pass(10_000)
  expect(stuck).toEqual([420])
  expect(asked).toEqual([400])
})

test('one that has left is nothing to tell of', async () => {
  const { asked, stuck } = waiting(() => (asked.length < 3 ? 'queued' : 'sent'))
  await pass(10_000)
  expect(asked).toEqual([400, 820, 1240])
  expect(stuck).toEqual([])
})

test('an answer that comes too late changes nothing', async () => {
  for (const late of ['sent', 'failed'] as const) {
    const { stuck } = waiting(() => late, { takes: 2500 })
    await pass(10_000)
    expect(stuck).toEqual([2100])
  }
})

test('a question without an answer is asked again', async () => {
  const { asked, stuck } = waiting(() => {
    if (asked.length < 2) throw new Error('no network')
    return 'sent'
  })
  await pass(10_000)
  expect(asked).toEqual([400, 820])
  expect(stuck).toEqual([])
})

test('nobody is told of one that is waited for no more', async () => {
  const { asked, stuck, stop } = waiting(() => 'failed')
  await pass(410)
  stop()
  await pass(10_000)
  expect(asked).toEqual([400])
  expect(stuck).toEqual([])
})
