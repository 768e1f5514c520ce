import net from 'node:net'

/** A bound socket that outlives the processes that it is passed to, as systemd holds one. */
export interface HeldSocket {
  fd: number
  port: string
  close(): void
}

interface Handle {
  fd: number
  getsockname(address: object): number
  close(): void
}

/** Node's public functions would accept connections on it themselves. */
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle(address: string, port: number, addressType: 4): Handle
}

/** Binds a free port; it listens from the first process on. */
export function holdSocket(): HeldSocket {
  const handle = createHandle('127.0.0.1', 0, 4)
  const address: { port?: number } = {}
  handle.getsockname(address)
  return { fd: handle.fd, port: String(address.port), close: () => handle.close() }
}
