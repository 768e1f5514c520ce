import { expect, test } from 'vitest'
import { testApp } from '../test-app.ts'
import { findLosses } from '../torture/find-losses.ts'
import { tortureFirstBoot } from '../torture/first-boots.ts'
import { canMountLossyDisk } from '../torture/lossy-disk.ts'
import { type Setup, torture } from '../torture/torture.ts'

// A figure to publish: npm run torture -- --kills 300
const timeout = 120_000

test.each<Setup>(['embedded', 'external'])(
  'no acknowledged write is lost when portal or database are killed (%s)',
  {
    timeout,
  },
  async (setup) => {
    const { losses, acknowledged, kills } = await torture(setup, 2, () => {})
    expect(losses).toEqual([])
    expect(acknowledged).toBeGreaterThan(5)
    expect(kills.node + kills.database).toBe(2)
  },
)

// A figure to publish: npm run torture -- --kills 30 --lossy-disk
test.skipIf(!canMountLossyDisk())(
  'no acknowledged write is lost when the power fails and the disk has only what was synced',
  { timeout },
  async () => {
    const { losses, acknowledged, kills } = await torture('lossy', 2, () => {})
    expect(losses).toEqual([])
    expect(acknowledged).toBeGreaterThan(5)
    expect(kills.power).toBe(2)
  },
)

test('a portal that is killed in its first start begins again where it was', { timeout }, async () => {
  expect(await tortureFirstBoot(1)).toEqual([])
})

test('what is lost or half would be seen', async () => {
  const portal = await testApp()
  const { db } = portal.system
  try {
    const organization = await portal.organization()
    const invitation = { organizationId: organization.organizationId, email: 'half@torture.example' }
    await db
      .insertInto('invitations')
      .values({ ...invitation, invitationId: organization.organizationId, expiresAt: new Date() })
      .execute()
    const ledger = {
      signIns: new Map([['nobody@torture.example', 1]]),
      edits: new Map([[organization.organizationId, ['edit-x-1.']]]),
      invited: ['gone@torture.example', 'half@torture.example'],
      unanswered: 0,
    }
    expect(await findLosses(portal.ownerUrl, ledger)).toEqual([
      'sign-ins of nobody@torture.example: 1 acknowledged, 0 events',
      'an edit without its event: edit-x-1.',
      'an invitation that was acknowledged is lost: gone@torture.example',
      'an invitation without its event: half@torture.example',
      'an invitation without its mail: half@torture.example',
    ])
  } finally {
    await portal.close()
  }
})
