import { beforeEach, expect, test } from 'vitest'
import { createToastStore, REMOVE_AFTER, type ToastStore } from './toast-store.ts'

/** A clock that runs when the test says so. */
function handClock() {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    setTimeout(run: () => void, ms: number) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return timer
    },
    clearTimeout(timer: unknown) {
      timers = timers.filter((other) => other !== timer)
    },
    pass(ms: number) {
      const until = now + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
        if (!next) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.run()
      }
      now = until
    },
  }
}

let clock: ReturnType<typeof handClock>
let store: ToastStore
const open = () => store.all().filter((toast) => toast.open)
const success = (title: string) => store.show({ title, tone: 'success' })
const danger = (title: string) => store.show({ title, tone: 'danger' })

beforeEach(() => {
  clock = handClock()
  store = createToastStore(clock)
})

test('at most three toasts are open: the oldest gives way', () => {
  for (const title of ['one', 'two', 'three', 'four']) danger(title)
  expect(open().map(({ title }) => title)).toEqual(['two', 'three', 'four'])
})

test('a dismissed toast leaves the store 5000 ms later', () => {
  store.dismiss(danger('one'))
  expect(open()).toEqual([])
  clock.pass(REMOVE_AFTER - 1)
  expect(store.all()).toHaveLength(1)
  clock.pass(1)
  expect(store.all()).toEqual([])
})

test('dismissing twice removes once', () => {
  const first = danger('one')
  store.dismiss(first)
  clock.pass(3000)
  store.dismiss(first)
  clock.pass(2000)
  expect(store.all()).toEqual([])
})

test('success leaves by itself after six seconds, an error stays', () => {
  success('saved')
  danger('not saved')
  clock.pass(5999)
  expect(open()).toHaveLength(2)
  clock.pass(1)
  expect(open().map(({ title }) => title)).toEqual(['not saved'])
})

test('nothing leaves while somebody reads, and the rest of its time counts afterwards', () => {
  success('saved')
  clock.pass(4000)
  store.pause(true)
  clock.pass(60_000)
  expect(open()).toHaveLength(1)
  store.pause(false)
  clock.pass(1999)
  expect(open()).toHaveLength(1)
  clock.pass(1)
  expect(open()).toEqual([])
})

test('a toast that comes while somebody reads waits for its time, too', () => {
  store.pause(true)
  success('saved')
  clock.pass(60_000)
  expect(open()).toHaveLength(1)
  store.pause(false)
  clock.pass(6000)
  expect(open()).toEqual([])
})

test('listeners hear of every change until they leave', () => {
  let heard = 0
  const leave = store.subscribe(() => heard++)
  const id = danger('one')
  store.dismiss(id)
  expect(heard).toBe(2)
  leave()
  clock.pass(REMOVE_AFTER)
  expect(heard).toBe(2)
})
