import { expect, test } from 'vitest'
import { whenVisible } from './when-visible.ts'

const pageThat = (hidden: boolean) => Object.assign(new EventTarget(), { hidden })
const turn = (page: ReturnType<typeof pageThat>, hidden: boolean) => {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a page that somebody looks at does it at once, and once', () => {
  const page = pageThat(false)
  let done = 0
  whenVisible(page, () => done++)
  turn(page, true)
  turn(page, false)
  expect(done).toBe(1)
})

test('a page behind another waits until somebody looks, unless it was told to let it be', () => {
  const [page, left] = [pageThat(true), pageThat(true)]
  const done: string[] = []
  whenVisible(page, () => done.push('waited'))
  whenVisible(left, () => done.push('left'))()
  expect(done).toEqual([])
  turn(page, false)
  turn(left, false)
  expect(done).toEqual(['waited'])
})
