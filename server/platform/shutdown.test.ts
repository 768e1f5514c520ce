import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shutdownOnSignal } from './shutdown.ts'

let codes: number[]
let closed: number
let time: number
let finish: () => void
let fail: (error: Error) => void
let signal: (name: string) => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  codes = []
  closed = 0
  time = 0
  signal = shutdownOnSignal({
    close: () => {
      closed++
      return new Promise((resolve, reject) => {
        finish = resolve
        fail = reject
      })
    },
    timeoutMs: 10_000,
    exit: (code) => codes.push(code),
    say: () => {},
    now: () => time,
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a signal closes in order and ends with 0', async () => {
  signal('SIGTERM')
  expect(codes).toEqual([])
  finish()
  await turn()
  expect([closed, ...codes]).toEqual([1, 0])
})

test('the same signal twice within a second counts once', async () => {
  signal('SIGINT')
  time = 999
  signal('SIGINT')
  expect(codes).toEqual([])
  finish()
  await turn()
  expect([closed, ...codes]).toEqual([1, 0])
})

test('a second signal later ends the process at once', () => {
  signal('SIGINT')
  time = 1001
  signal('SIGINT')
  expect([closed, ...codes]).toEqual([1, 1])
})

test('what does not finish in time is left behind', () => {
  signal('SIGTERM')
  vi.advanceTimersByTime(9_999)
  expect(codes).toEqual([])
  vi.advanceTimersByTime(1)
  expect(codes).toEqual([1])
})

test('a failure while closing ends with 1', async () => {
  signal('SIGTERM')
  fail(new Error('no'))
  await turn()
  expect(codes).toEqual([1])
})
