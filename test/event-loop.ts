import { setTimeout as wait } from 'node:timers/promises'

/**
 * The longest block of the event loop while the work ran: milliseconds of this thread's CPU time, so that other programs
 * on the machine do not count.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let running = true
  const watching = (async () => {
    while (running) {
      const before = process.threadCpuUsage()
      // Pause at least one millisecond: a busy loop would compete with the work for the CPU.
      await wait(1)
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
    }
  })()
  await work()
  running = false
  await watching
  return longest
}

/** The total CPU time of the work. */
export async function totalCpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
