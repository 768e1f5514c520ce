import { expect, test } from 'vitest'
import { createOutage } from './outage.ts'

const lost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })

/** An outage of a database that answers as long as it is said to. */
function watched() {
  const lines: string[] = []
  const note = (_: unknown, message: string) => void lines.push(message)
  const state = { answers: true }
  const outage = createOutage()
  const query = async () => {
    if (!state.answers) throw lost()
  }
  const stop = outage.watch({ log: { error: note, warn: note } as never, pool: { query } as never })
  return { outage, lines, state, stop }
}
const began = 'the database cannot be reached; this line stands for all until it is back'
const over = 'the database is back'

test('what began during an outage and fails after its end is no second outage', async () => {
  const { outage, lines, stop } = watched()
  expect(outage.swallows({ err: lost() })).toBe(true)
  await expect.poll(() => lines, { timeout: 5000 }).toEqual([began, over])
  expect(outage.swallows({ err: lost() })).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(lines).toEqual([began, over])
  stop()
})

test('a database that is lost again right after it came back is said again', async () => {
  const { outage, lines, state, stop } = watched()
  outage.swallows({ err: lost() })
  await expect.poll(() => lines, { timeout: 5000 }).toEqual([began, over])
  state.answers = false
  expect(outage.swallows({ err: lost() })).toBe(true)
  await expect.poll(() => lines).toEqual([began, over, began])
  state.answers = true
  await expect.poll(() => lines, { timeout: 5000 }).toEqual([began, over, began, over])
  stop()
})

test('the background work that loses its connection says nothing of its own', () => {
  const { outage, lines, stop } = watched()
  outage.swallows({ err: lost() })
  expect(outage.swallows({ err: new Error('LISTEN/NOTIFY connection ended') })).toBe(true)
  expect(lines).toEqual([began])
  stop()
})
