import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BankidState } from '#contract/sign-in/bankid.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { followOrder, type News } from './follow-order.ts'

const pending: BankidState = {
  status: 'pending',
  message: 'rfa1',
  device: 'other',
  qrData: 'code',
  autoStartToken: null,
  phoneApp: null,
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A page in sight, and an order that is asked for by it; what it is asked answers what `answer` says then. */
function following(answer: () => BankidState | Promise<BankidState>) {
  const page = Object.assign(new EventTarget(), { hidden: false })
  const asked: number[] = []
  const news: News[] = []
  const begin = Date.now()
  const stop = followOrder({
    ask: async () => {
      asked.push(Date.now() - begin)
      return answer()
    },
    tell: (told) => news.push(told),
    page: page as unknown as Document,
    wait: 0,
  })
  const show = (seen: boolean) => {
    page.hidden = !seen
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { asked, news, stop, show }
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

test('an order is asked for every second, however long an answer takes', async () => {
  const { asked, news, stop } = following(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return pending
  })
  await pass(3.5)
  expect(asked).toEqual([0, 1000, 2000, 3000])
  expect(news).toHaveLength(4)
  stop()
  await pass(5)
  expect(asked).toHaveLength(4)
})

test.each(['failed', 'complete'] as const)('nobody asks any more once it has %s', async (status) => {
  const { asked, news, show } = following(() => ({ ...pending, status }))
  await pass(5)
  show(false)
  show(true)
  await pass(5)
  expect(asked).toHaveLength(1)
  expect(news).toEqual([{ name: 'state', state: { ...pending, status } }])
})

test('one answer that fails is not told, a second one is, and asking goes on, slower in the end', async () => {
  let works = false
  const { asked, news } = following(() => {
    if (works) return pending
    throw new ApiProblem(0, 'networkError')
  })
  await pass(0.5)
  expect(news).toEqual([])
  await pass(1)
  expect(news).toEqual([{ name: 'trouble' }])
  await pass(20)
  expect(asked).toEqual([0, 1000, 2000, 3000, 4000, 9000, 14_000, 19_000])
  works = true
  await pass(5)
  expect(news.at(-1)).toEqual({ name: 'state', state: pending })
  await pass(1)
  expect(asked.slice(8, 10)).toEqual([24_000, 25_000])
})

test('it is asked for when the server says so', async () => {
  let first = true
  const { asked } = following(() => {
    if (!first) return pending
    first = false
    throw new ApiProblem(429, 'tooManyRequests', { retryAfter: 7 })
  })
  await pass(7.5)
  expect(asked).toEqual([0, 7000])
})

test('an interaction that is over ends it', async () => {
  const { asked, news } = following(() => {
    throw new ApiProblem(404, 'notFound')
  })
  await pass(5)
  expect(asked).toHaveLength(1)
  expect(news).toEqual([{ name: 'gone' }])
})

test('out of sight it is asked for a minute, and at once when somebody looks again', async () => {
  const { asked, show } = following(() => pending)
  show(false)
  await pass(120)
  const meanwhile = asked.length
  expect(meanwhile).toBe(61)
  show(true)
  await pass(0)
  expect(asked).toHaveLength(meanwhile + 1)
  await pass(2)
  expect(asked).toHaveLength(meanwhile + 3)
})

test('looking again while an answer is on its way asks once', async () => {
  const { asked, show } = following(async () => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    return pending
  })
  await pass(0.1)
  show(false)
  show(true)
  await pass(0.5)
  expect(asked).toEqual([0])
})
