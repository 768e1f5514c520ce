import type { TestApp } from './test-app.ts'

/** Counts the password hashes that a call computes. */
export async function hashesOf({ system: { passwords } }: TestApp, call: () => Promise<unknown>): Promise<number> {
  const { verify: real } = passwords
  let count = 0
  passwords.verify = (stored, password) => {
    count++
    return real(stored, password)
  }
  await call()
  passwords.verify = real
  return count
}
