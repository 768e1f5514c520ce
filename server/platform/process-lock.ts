import { createHash } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` while no other process of this machine runs its own under the same name. The lock is a listening local
 * socket, because the system releases that with the process, however it ends: nothing stale is ever left to judge.
 *
 * @param timeout milliseconds to wait for the other process
 * @throws Error when the other process still holds the lock by then
 */
export async function withProcessLock<T>(name: string, work: () => Promise<T>, timeout = 60_000): Promise<T> {
  const address = addressOf(name)
  const deadline = Date.now() + timeout
  let release = await take(address)
  while (!release) {
    if (Date.now() > deadline) throw new Error(`another process has been busy with ${name} for too long`)
    await released(address, deadline)
    release = await take(address)
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

/** Takes the lock and answers how to release it, or undefined when another process has it. */
function take(address: string): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve, reject) => {
    const waiting = new Set<Socket>()
    const server = createServer((socket) => {
      // Whoever waits stays connected until this process lets go.
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

/** Waits until the holder hangs up. */
function released(address: string, deadline: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const timer = setTimeout(() => socket.destroy(), Math.max(0, deadline - Date.now()))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A socket file whose process is gone; only systems without abstract names have one.
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) unlinkSync(address)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
