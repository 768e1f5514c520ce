import { hash as argon2Hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import type { Problem } from '../problem.ts'
import { createPasswords, hashParameters } from './passwords.ts'

const passwords = createPasswords()
const password = 'Vårens-första-dag-9'
const sum = ({ user, system }: NodeJS.CpuUsage) => user + system

test('a password opens its own hash, in whichever way its letters were composed', async () => {
  const stored = await passwords.hash(password)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(stored, password)).toEqual({ ok: true, rehash: false })
  expect(await passwords.verify(stored, password.normalize('NFD'))).toEqual({ ok: true, rehash: false })
  expect(await passwords.verify(stored, password.toLowerCase())).toEqual({ ok: false, rehash: false })
})

test('the same password never hashes to the same text', async () => {
  expect(await passwords.hash(password)).not.toBe(await passwords.hash(password))
})

test('without a hash, or with one that cannot be read, nothing is ever ok', async () => {
  for (const stored of [
    undefined,
    null,
    '',
    'plain',
    '$argon2id$v=19$m=19456,t=2,p=1$broken',
    '$2b$10$abcdefghijklmnopqrstuv',
  ])
    expect(await passwords.verify(stored, password), String(stored)).toEqual({ ok: false, rehash: false })
})

test('an unknown account costs as much as a known one', async () => {
  const hashes = { known: await passwords.hash(password), unknown: undefined, unreadable: 'broken' }
  const least = { known: Infinity, unknown: Infinity, unreadable: Infinity }
  // Compares the minimum CPU time of many alternating runs, so that other load on the machine does not matter.
  for (let round = 0; round < 25; round++)
    for (const name of ['known', 'unknown', 'unreadable'] as const) {
      const from = process.cpuUsage()
      await passwords.verify(hashes[name], 'Wrong-password-1')
      least[name] = Math.min(least[name], sum(process.cpuUsage(from)))
    }
  for (const time of [least.unknown, least.unreadable]) {
    expect(time / least.known).toBeGreaterThan(0.6)
    expect(time / least.known).toBeLessThan(1.6)
  }
})

test('a hash of weaker parameters still opens and asks to be replaced', async () => {
  const weak = await argon2Hash(password, { ...hashParameters, memoryCost: 8192 })
  expect(await passwords.verify(weak, password)).toEqual({ ok: true, rehash: true })
  expect(await passwords.verify(weak, 'Wrong-password-1')).toEqual({ ok: false, rehash: false })
})

test('a flood gets 503, admitted requests are answered, and the event loop stays free', async () => {
  const small = createPasswords({ concurrency: 2, queue: 8 })
  const from = { all: process.cpuUsage(), own: process.threadCpuUsage() }
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => small.verify(undefined, password)))
  const spent = { all: sum(process.cpuUsage(from.all)), own: sum(process.threadCpuUsage(from.own)) }
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Problem)
  expect(refused).toHaveLength(40)
  expect(refused[0]).toMatchObject({ status: 503, key: 'tooBusy', retryAfter: 2 })
  // The processor's time and not the clock's: what holds the event loop up is what its own thread does. A hash takes
  // 12 ms or more.
  expect(spent.own / spent.all).toBeLessThan(0.5)
  expect((await small.verify(undefined, password)).ok).toBe(false)
})
