import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A database that is further away: a proxy between it and a portal. */
export interface DelayedDatabase {
  url: string
  /** Milliseconds for there and back, from now on. */
  setDelay(milliseconds: number): void
  /** How often a connection sent something after an answer: a statement, or several in one packet. */
  roundTrips(): number
  close(): void
}

/** @param databaseUrl by a socket in the file system, or by TCP */
export async function delayDatabase(databaseUrl: string): Promise<DelayedDatabase> {
  const { username, password, hostname, port, pathname, searchParams } = new URL(databaseUrl)
  const folder = searchParams.get('host')
  const there = folder
    ? { path: `${folder}/.s.PGSQL.${searchParams.get('port')}` }
    : { host: hostname, port: Number(port) }
  let [delay, roundTrips] = [0, 0]
  const open = new Set<Socket>()
  // Timers of the same length end in order, and so do the packets.
  const later = (work: () => void) => (delay === 0 ? work() : setTimeout(work, delay / 2))
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(there)
    let isAnswered = true
    near.on('data', () => {
      if (isAnswered) roundTrips++
      isAnswered = false
    })
    far.on('data', () => {
      isAnswered = true
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (packet) => later(() => to.writable && to.write(packet)))
      from.on('end', () => later(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => open.delete(from))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${address.port}${pathname}`,
    setDelay(milliseconds) {
      delay = milliseconds
    },
    roundTrips: () => roundTrips,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
