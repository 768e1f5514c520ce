import { availableParallelism } from 'node:os'
import { createBrowser, signIn } from './browser.ts'
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
 * Full password sign-ins for each core-second that Node and PostgreSQL take, the hash included: what a virtual processor
 * serves. The client's time is left out.
 */
export async function measureSignIns(portal: BenchPortal, databaseUrl: string): Promise<Figure[]> {
  const postmaster = await findPostmaster(databaseUrl)
  const serverTime = () => processorTime(portal.pid) + postgresTime(postmaster)
  let signIns = 0
  const signingIn = (forSeconds: number) =>
    rate(availableParallelism() * 4, forSeconds, async (worker) => {
      await signIn(createBrowser(portal.url), people[worker % people.length] ?? '', password)
      signIns++
    })
  await signingIn(warmUpSeconds)
  signIns = 0
  const before = serverTime()
  await signingIn(seconds)
  return [
    {
      name: 'password sign-ins per core, database and hash included',
      value: signIns / (serverTime() - before),
      unit: '/s',
      limit: { what: 'Keycloak, as it says, per vCPU', value: 15 },
      target: 'none',
    },
  ]
}
