import pg from 'pg'

/** The driver's error for a query that got no answer in time. */
const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'
/** The server only reads: it was the primary, or is not yet. */
const onlyReads = '25006'

/** Whether nothing more can be done on the connection of this error, although it is open. */
export const isUseless = (error: unknown): boolean =>
  isSilence(error) || (error as { code?: unknown } | null)?.code === onlyReads

/**
 * Where one connection got no answer, those that nobody uses at the moment would not get one either: a machine without power
 * tells nobody. They are closed, so that the next requests do not wait for each of them in turn.
 */
export function closeSilent(pool: pg.Pool): void {
  const unused = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => unused.delete(client))
  pool.on('remove', (client) => unused.delete(client))
  pool.on('release', (error: unknown, client) => {
    if (!error) unused.add(client)
    else if (isSilence(error))
      for (const { connection } of unused as Set<pg.PoolClient & { connection: pg.Connection }>)
        connection.stream.destroy(new Error('Connection terminated: another one got no answer'))
  })
}

const lost = new WeakSet<object>()

/** Marks an error as one of a connection to the database: a code such as ECONNREFUSED alone could be of any server. */
export function markLost(error: unknown): void {
  if (typeof error === 'object' && error !== null) lost.add(error)
}

/** A client of a pool whose broken connection can be told from that of any other connection. */
function createMarkedClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config)
  // The queries that were open get the same error a moment later.
  client.on('error', markLost)
  const connect = client.connect.bind(client) as (callback: (error: Error) => void) => void
  const marked = (callback: (error: Error) => void) =>
    connect((error) => {
      markLost(error)
      callback(error)
    })
  return Object.assign(client, { connect: marked })
}

/** The pool calls it with `new`, and `connect` with a callback. */
export const MarkedClient = function MarkedClient(config: pg.ClientConfig) {
  return createMarkedClient(config)
} as unknown as typeof pg.Client

// What ends a connection that was there: the server stops, crashes or starts, or the network.
const endedState = /^(08...|57P0[1-3])$/
// The last one is how pg-boss says that the connection on which it listens has ended.
const endedMessage =
  /^(Connection terminated|Client has encountered a connection error|LISTEN\/NOTIFY connection ended)/

/** Whether this error, or what caused it, says that the database is gone. */
export function isLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown }
  return lost.has(error) || endedState.test(String(code)) || endedMessage.test(String(message)) || isLost(cause)
}
