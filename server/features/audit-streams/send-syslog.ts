import { once } from 'node:events'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { payloadOf, type StreamedEvent } from './event-payload.ts'

/** Where the operator wants syslog. */
export interface SyslogTarget {
  host: string
  port: number
  /** PEM; the system's authorities by default. */
  ca: string | undefined
}

// Facility 13, log audit; severity 6, informational.
const priority = 13 * 8 + 6
const milliseconds = 10_000

/** A message of RFC 5424, with the number of its bytes before it (RFC 5425 and RFC 6587). */
export function syslogMessage(event: StreamedEvent): string {
  const { createdAt, name } = event
  const message = `<${priority}>1 ${createdAt.toISOString()} ${hostname()} vestibule - ${name.slice(0, 32)} - ${payloadOf(event)}`
  return `${Buffer.byteLength(message)} ${message}`
}

/**
 * Sends events over a connection of its own. Syslog confirms nothing, so they count as delivered once the receiver has
 * closed an orderly connection, which it does after reading everything.
 */
export async function sendSyslog({ host, port, ca }: SyslogTarget, events: readonly StreamedEvent[]): Promise<void> {
  const socket = connect({ host, port, ...(isIP(host) ? {} : { servername: host }), ...(ca ? { ca } : {}) })
  const ended = new AbortController()
  const tooLong = wait(milliseconds, undefined, { signal: ended.signal }).then(
    () => socket.destroy(new Error('the syslog server did not answer in time')),
    () => {},
  )
  try {
    await once(socket, 'secureConnect')
    socket.resume()
    socket.end(events.map(syslogMessage).join(''))
    await once(socket, 'close')
    if (socket.errored) throw socket.errored
  } finally {
    ended.abort()
    socket.destroy()
    await tooLong
  }
}
