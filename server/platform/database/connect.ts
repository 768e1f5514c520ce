import { Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import pg from 'pg'
import { splitHosts } from '../split-hosts.ts'

/** Milliseconds that a server has to say whether it accepts writes. */
const patience = 2000

type Connection = { connectionString: string } & Pick<pg.ClientConfig, 'stream' | 'ssl'>

/**
 * How to connect to the database of a URL. Of several servers, every new connection goes to the one that accepts writes,
 * as with `target_session_attrs=read-write` of libpq.
 */
export function connectionTo(url: string): Connection {
  const urls = splitHosts(url).map(normalised)
  if (urls.length === 1) return { connectionString: urls[0] ?? '' }
  const one = new URL(urls[0] ?? '')
  const given = new pg.Client({ connectionString: one.href }).ssl
  const ssl = given && Object.assign(given === true ? {} : given, { checkServerIdentity: identifyAnyOf(urls) })
  for (const name of [...one.searchParams.keys()]) if (name.startsWith('ssl')) one.searchParams.delete(name)
  return {
    connectionString: one.href,
    stream: () => socketToPrimary(urls),
    ...(ssl ? { ssl } : {}),
  }
}

/**
 * The URL as the driver reads every name in it: blanks encoded, and in the name of the database nothing else that it would leave
 * encoded. A certificate is always verified, with its name; the driver warns of the words that mean less elsewhere.
 */
function normalised(url: string): string {
  const one = new URL(url)
  one.pathname = one.pathname.replaceAll(/%(?:24|26|2b|2c|3a|3b|3d|40)/gi, decodeURIComponent)
  const mode = one.searchParams.get('sslmode') ?? ''
  if (['prefer', 'require', 'verify-ca'].includes(mode) && !one.searchParams.has('uselibpqcompat'))
    one.searchParams.set('sslmode', 'verify-full')
  return one.href
}

/** A certificate must belong to one of the servers; which one is not known before the connection. */
const identifyAnyOf = (urls: readonly string[]) => (_: string, certificate: PeerCertificate) =>
  urls
    .map((url) => checkServerIdentity(new URL(url).hostname.replace(/^\[|\]$/g, ''), certificate))
    .reduce((first, next) => first && next)

/** A socket that finds its server itself: the driver would connect to the first. */
function socketToPrimary(urls: readonly string[]): Socket {
  const socket = new Socket()
  const connect = Socket.prototype.connect as (port: number, host: string) => Socket
  const find = () => {
    search(urls).then(
      ({ host, port, server }) => {
        if (socket.destroyed) return
        leaveOthers(urls, server)
        open.set(socket, { urls: urls.join(), server })
        socket.once('close', () => open.delete(socket))
        connect.call(socket, port, host)
      },
      ({ errors }: AggregateError) => socket.destroy(noPrimary(errors)),
    )
    return socket
  }
  return Object.assign(socket, { connect: find })
}

/** Searches that go on: connections that begin together ask each server once, which costs it a session and a hash. */
const searches = new Map<string, ReturnType<typeof findPrimary>>()

function search(urls: readonly string[]): ReturnType<typeof findPrimary> {
  const key = urls.join()
  const going = searches.get(key) ?? Promise.any(urls.map(findPrimary)).finally(() => searches.delete(key))
  searches.set(key, going)
  return going
}

/** Where each socket leads that found its server itself. */
const open = new Map<Socket, { urls: string; server: string }>()

/** Ends what still leads to another server: a machine without power tells nobody that it is not the primary any more. */
function leaveOthers(urls: readonly string[], primary: string): void {
  for (const [socket, { urls: searched, server }] of open)
    if (searched === urls.join() && server !== primary)
      socket.destroy(Object.assign(new Error('another server is the primary now'), { code: 'ECONNRESET' }))
}

const noPrimary = (reasons: readonly Error[]) =>
  Object.assign(new Error(`no server accepts writes: ${reasons.map(({ message }) => message).join(', ')}`), {
    code: 'EHOSTUNREACH',
    syscall: 'connect',
  })

/** @throws Error where the server cannot be reached, or only reads */
async function findPrimary(url: string): Promise<{ host: string; port: number; server: string }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience, query_timeout: patience })
  client.on('error', () => {})
  try {
    await client.connect()
    // Two addresses may lead to one server, as through two poolers: its start tells it from another one.
    const { rows } = await client.query(
      `select current_setting('transaction_read_only') as "readOnly", extract(epoch from pg_postmaster_start_time())::text as server`,
    )
    if (rows[0].readOnly === 'on') throw new Error('the server only reads')
    return { host: client.host, port: client.port, server: rows[0].server }
  } finally {
    void client.end().catch(() => {})
  }
}
