import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { hashParameters } from '#server/platform/secrets/passwords.ts'
import { rate } from './measure.ts'

/** What the hash of a password takes where as many run at once as there are cores, as in a portal under load. */
export async function measureHash(seconds: number): Promise<{ perSecond: number; milliseconds: number }> {
  let hashes = 0
  const before = process.cpuUsage()
  const perSecond = await rate(availableParallelism(), seconds, async () => {
    await hash('Demo-password-1', hashParameters)
    hashes++
  })
  const { user, system } = process.cpuUsage(before)
  return { perSecond, milliseconds: (user + system) / 1000 / hashes }
}
