import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of another organisation, on this machine. */
export interface Listening {
  server: Server
  issuer: string
  close(): void
}

/** Listens on a free port. */
export async function listen(): Promise<Listening> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    server,
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
