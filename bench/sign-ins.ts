import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { hashParameters } from '#server/platform/passwords.ts'
import { createBrowser, signIn } from './browser.ts'
import { type Figure, rate } from './measure.ts'
import type { BenchPortal } from './portal.ts'

const seconds = 10
const password = 'Demo-password-1'
/** People of the demo who sign in with a password alone. */
export const people = [
  'admin@nordvik.example',
  'user@nordvik.example',
  'both@nordvik.example',
  'super@vestibule.example',
]

/**
 * Full password sign-ins a second, beside bare argon2id hashes a second with the same parameters. The client runs on
 * the same cores, so its work counts against the portal.
 */
export async function measureSignIns(portal: BenchPortal): Promise<Figure[]> {
  const cores = availableParallelism()
  const hashing = () => rate(cores, seconds / 2, async () => void (await hash(password, hashParameters)))
  const signingIn = () =>
    rate(cores * 4, seconds, (worker) =>
      signIn(createBrowser(portal.url), people[worker % people.length] ?? '', password),
    )
  await signIn(createBrowser(portal.url), people[0] ?? '', password)
  // Before and after, so that a machine that gets slower meanwhile does not decide.
  const before = await hashing()
  const signIns = await signingIn()
  const after = await hashing()
  return [
    {
      name: 'password sign-ins',
      value: signIns,
      unit: '/s',
      limit: { what: 'argon2id hashes', value: (before + after) / 2 },
      target: { atLeast: 0.85 },
    },
  ]
}
