import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to the database that can be long, slow, silent or cut. */
export interface FaultyLine {
  /** The same database at this end of the line. */
  urlOf(databaseUrl: string): string
  /** Milliseconds that everything takes from now on, in each direction. */
  delay(ms: number): void
  /** How often a connection sent something after an answer: a statement, or several in one packet. */
  roundTrips(): number
  /** Nothing gets through, and nobody is told. */
  silence(): void
  /** Connections break, and new ones are refused. */
  cut(): void
  /** Works again. */
  mend(): void
  close(): Promise<void>
}

/** Opens a line to the PostgreSQL of a URL, which may name a folder with its socket. */
export async function openFaultyLine(databaseUrl: string): Promise<FaultyLine> {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = url.searchParams.get('port') ?? url.port ?? '5432'
  const open = new Set<Socket>()
  let [ms, roundTrips] = [0, 0]
  let state: 'works' | 'silent' | 'cut' = 'works'
  const server = createServer({ noDelay: true }, (near) => {
    if (state === 'cut') return void near.destroy()
    const far = folder?.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), url.hostname)
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
      from.on('data', (data) => {
        if (state === 'silent') return
        if (ms === 0) to.write(data)
        // Timers of the same length end in order.
        else setTimeout(() => to.writable && to.write(data), ms)
      })
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    urlOf(original) {
      const through = new URL(original)
      through.hostname = '127.0.0.1'
      through.port = String((server.address() as AddressInfo).port)
      through.searchParams.delete('host')
      through.searchParams.delete('port')
      return through.href
    },
    delay(next) {
      ms = next
    },
    roundTrips: () => roundTrips,
    silence() {
      state = 'silent'
    },
    cut() {
      state = 'cut'
      breakAll()
    },
    mend() {
      // What was swallowed is gone, so these connections cannot go on.
      if (state === 'silent') breakAll()
      state = 'works'
      ms = 0
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
