import { availableParallelism } from 'node:os'
import { createBrowser, signIn } from './browser.ts'
import { measureHash } from './hash-time.ts'
import { type Figure, rate } from './measure.ts'
import type { BenchPortal } from './portal.ts'
import { findPostmaster, postgresTime, processorTime } from './processor-time.ts'

const seconds = 10
const warmUpSeconds = 4
const password = 'Demo-password-1'
/** People of the demo who sign in with a password alone. */
export const people = [
  'admin@nordvik.example',
  'user@nordvik.example',
  'both@nordvik.example',
  'super@vestibule.example',
]

/**
 * Full password sign-ins: how much of the processor time that Node and PostgreSQL take for one is the argon2id hash. The
 * client's time is left out. The rate is printed beside bare hashes, without a target: the client shares the cores.
 */
export async function measureSignIns(portal: BenchPortal, databaseUrl: string): Promise<Figure[]> {
  const cores = availableParallelism()
  const postmaster = await findPostmaster(databaseUrl)
  const serverTime = () => processorTime(portal.pid) + postgresTime(postmaster)
  let signIns = 0
  const signingIn = (forSeconds: number) =>
    rate(cores * 4, forSeconds, async (worker) => {
      await signIn(createBrowser(portal.url), people[worker % people.length] ?? '', password)
      signIns++
    })
  await signingIn(warmUpSeconds)
  const { perSecond: hashesPerSecond, milliseconds: hashMs } = await measureHash(seconds / 2)
  signIns = 0
  const before = serverTime()
  const signInsPerSecond = await signingIn(seconds)
  const signInMs = ((serverTime() - before) * 1000) / signIns
  return [
    {
      name: "the hash's share of a password sign-in's processor time",
      value: hashMs,
      unit: 'ms',
      limit: { what: 'Node and PostgreSQL', value: signInMs },
      target: { atLeast: 0.65 },
    },
    {
      name: 'password sign-ins',
      value: signInsPerSecond,
      unit: '/s',
      limit: { what: 'argon2id hashes', value: hashesPerSecond },
      target: 'none',
    },
  ]
}
