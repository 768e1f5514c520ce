import pg from 'pg'

const lost = new WeakSet<object>()

/** Marks an error as one of a connection to the database: a code such as ECONNREFUSED alone could be of any server. */
export function markLost(error: unknown): void {
  if (typeof error === 'object' && error !== null) lost.add(error)
}

/** A client whose failure to connect can be told from that of any other connection. */
export class MarkedClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (!callback)
      return super.connect().catch((error: unknown) => {
        markLost(error)
        throw error
      }) as Promise<pg.Client>
    super.connect((error: Error) => {
      markLost(error)
      callback(error)
    })
  }
}

// What ends a connection that was there: the server stops, crashes or starts, or the network.
const endedState = /^(08...|57P0[1-3])$/
const endedMessage = /^(Connection terminated|Client has encountered a connection error)/

/** Whether this error, or what caused it, says that the database is gone. */
export function isLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown }
  return lost.has(error) || endedState.test(String(code)) || endedMessage.test(String(message)) || isLost(cause)
}
