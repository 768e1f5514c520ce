import { createHash } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` under a lock between the processes of this machine. The lock is a listening local socket, which the system
 * releases when the process ends in any way, so there are no stale locks.
 *
 * @param timeout milliseconds to wait for the other process
 * @throws Error when another process still holds the lock after the time-out
 */
export async function withProcessLock<T>(name: string, work: () => Promise<T>, timeout = 60_000): Promise<T> {
  const address = addressOf(name)
  const deadline = Date.now() + timeout
  let release = await acquire(address)
  while (!release) {
    if (Date.now() > deadline) throw new Error(`another process has been busy with ${name} for too long`)
    await waitForRelease(address, deadline)
    release = await acquire(address)
  }
  try {
    return await work()
  } finally {
    await release()
  }
}

function addressOf(name: string): string {
  const id = `vestibule-${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
  if (process.platform === 'linux') return `\0${id}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${id}` : join(tmpdir(), `${id}.lock`)
}

/** Acquires the lock and returns its release function; undefined when another process holds it. */
function acquire(address: string): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve, reject) => {
    const waiting = new Set<Socket>()
    const server = createServer((socket) => {
      // Waiting processes stay connected until the lock is released.
      waiting.add(socket.on('error', () => {}).on('close', () => waiting.delete(socket)))
    })
    const release = () =>
      new Promise<void>((done) => {
        server.close(() => done())
        for (const socket of waiting) socket.destroy()
      })
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(address, () => resolve(release))
  })
}

/** Waits until the lock holder disconnects. */
function waitForRelease(address: string, deadline: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const timer = setTimeout(() => socket.destroy(), Math.max(0, deadline - Date.now()))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A leftover socket file; only systems without abstract socket names have one.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) unlinkSync(address)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
