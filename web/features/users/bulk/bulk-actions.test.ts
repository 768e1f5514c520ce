import { afterEach, expect, test, vi } from 'vitest'
import { sendBulk } from './bulk-actions.ts'

const ids = Array.from({ length: 205 }, (_, n) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`)
const request = {
  action: 'markActive',
  organizationId: undefined,
  serviceId: undefined,
  roleId: undefined,
  groupId: undefined,
  accountIds: ids,
} as const
const answered = (accountIds: string[]) =>
  Response.json({ rows: accountIds.map((accountId) => ({ accountId, outcome: 'done', reason: null })) })

/** Answers each call, or refuses it. @returns how many people each call had */
function serve(refuses: (call: number) => boolean) {
  const sizes: number[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    expect(url).toBe('/api/organizations/-/users/mark-active')
    const { accountIds } = JSON.parse(body)
    sizes.push(accountIds.length)
    return refuses(sizes.length)
      ? Response.json({ message: 'tooManyRequests', requestId: '1' }, { status: 429 })
      : answered(accountIds)
  })
  return sizes
}
afterEach(() => vi.unstubAllGlobals())

test('a long selection is sent a hundred people at a time', async () => {
  const sizes = serve(() => false)
  const rows = await sendBulk(request, { dryRun: false })
  expect(sizes).toEqual([100, 100, 5])
  expect(rows.map(({ accountId }) => accountId)).toEqual(ids)
})

test('a call that is refused is the answer of its people, and the others keep theirs', async () => {
  serve((call) => call === 2)
  const rows = await sendBulk(request, { dryRun: false })
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    ...Array(100).fill('done'),
    ...Array(100).fill('failed'),
    ...Array(5).fill('done'),
  ])
  expect(rows[100]?.reason).toBe('tooManyRequests')
})

test('a preview that is refused shows nothing', async () => {
  serve((call) => call === 2)
  await expect(sendBulk(request, { dryRun: true })).rejects.toThrow('tooManyRequests')
})
