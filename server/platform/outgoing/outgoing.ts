import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Agent, ProxyAgent, request } from 'undici'
import { type AddressRules, checkUrl } from './address-rules.ts'
import { guardedConnect, type Resolve } from './guarded-connect.ts'
import { asOutgoingFailure, OutgoingFailure } from './outgoing-failure.ts'

/** The largest answer of each use in bytes; with `drop` the body is not read. */
const uses = {
  metadata: { bytes: 512 * 1024, seconds: 10 },
  // The whole metadata of a federation, which is read as it comes.
  federation: { bytes: 100 * 1024 * 1024, seconds: 120 },
  discovery: { bytes: 64 * 1024, seconds: 10 },
  jwks: { bytes: 64 * 1024, seconds: 10 },
  token: { bytes: 64 * 1024, seconds: 10 },
  logout: { bytes: 1024, seconds: 10, drop: true },
  webhook: { bytes: 1024, seconds: 15, drop: true },
} as const satisfies Record<string, { bytes: number; seconds: number; drop?: boolean }>
export type OutgoingUse = keyof typeof uses

interface OutgoingCall {
  use: OutgoingUse
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
  /** Someone without an account typed the address: hosts that the operator allows are refused too. */
  outsider?: boolean
  /** Takes the body piece by piece, so that it is never held as a whole; the answer's is empty then. What it throws ends the call. */
  take?: ((part: Buffer) => void) | undefined
}

/** Any answer but a redirect. */
export interface OutgoingAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Empty where the use drops it. */
  body: Buffer
}

/** Calls to addresses that people typed. No other code opens a connection to one (security 57). */
export interface Outgoing {
  /** @throws OutgoingFailure with the rule that refused the call, or what went wrong */
  call(address: string, call: OutgoingCall): Promise<OutgoingAnswer>
  /**
   * Checks an address as it was typed, without calling it.
   *
   * @throws OutgoingFailure with the rule that it breaks
   */
  check(address: string): void
  close(): Promise<void>
}

interface OutgoingOptions extends AddressRules {
  log: FastifyBaseLogger
  /** Whether this is a restored copy, which calls nobody. */
  isQuarantined?: () => boolean
  /** An egress proxy, which resolves the names itself. Hosts that the operator allows are called directly. */
  proxy?: string | undefined
  /** Milliseconds for a connection, and for a whole call. */
  connectTimeout?: number
  timeout?: number
  /** PEM; the system's authorities by default. */
  ca?: string
  resolve?: Resolve
}

/** Creates the connector; `close` ends the calls that are under way. */
export function createOutgoing({
  log,
  proxy,
  ca,
  resolve,
  connectTimeout = 3000,
  timeout,
  isQuarantined = () => false,
  ...rules
}: OutgoingOptions): Outgoing {
  const direct = new Agent({ connect: guardedConnect({ rules, timeout: connectTimeout, ca, resolve }) })
  const byProxy = proxy ? new ProxyAgent({ uri: proxy, ...(ca ? { requestTls: { ca } } : {}) }) : undefined

  async function call(
    address: string,
    { use, method = 'GET', headers = {}, body, signal, outsider = false, take }: OutgoingCall,
  ) {
    let refused: { error: unknown } | undefined
    const { bytes, seconds, ...more } = uses[use]
    const ended = AbortSignal.any([AbortSignal.timeout(timeout ?? seconds * 1000), ...(signal ? [signal] : [])])
    try {
      if (isQuarantined()) throw new OutgoingFailure('quarantine')
      const { url, isAllowed } = checkUrl(address, rules)
      if (isAllowed && outsider) throw new OutgoingFailure('internal')
      const dispatcher = byProxy && !isAllowed ? byProxy : direct
      const answer = await request(url, { dispatcher, method, headers, body: body ?? null, signal: ended })
      const { statusCode: status } = answer
      if (status >= 300 && status < 400) {
        await answer.body.dump({ limit: 1024 })
        throw new OutgoingFailure('redirect')
      }
      if ('drop' in more) {
        await answer.body.dump({ limit: bytes, signal: ended })
        return { status, headers: answer.headers, body: Buffer.alloc(0) }
      }
      const keep = (part: Buffer) => {
        try {
          take?.(part)
        } catch (error) {
          refused = { error }
          throw error
        }
      }
      return { status, headers: answer.headers, body: await readUpTo(answer.body, bytes, take && keep) }
    } catch (error) {
      if (refused) throw refused.error
      const failure = asOutgoingFailure(error, ended)
      log.warn({ use, host: URL.parse(address)?.host, reason: failure.reason }, 'an outgoing call failed')
      throw failure
    }
  }

  return {
    call,
    check: (address) => void checkUrl(address, rules),
    async close() {
      await Promise.all([direct.destroy(), byProxy?.destroy()])
    },
  }
}

async function readUpTo(body: AsyncIterable<Buffer>, bytes: number, take?: (part: Buffer) => void): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // Leaving the loop ends the connection.
    if (size > bytes) throw new OutgoingFailure('tooLarge')
    if (!take) {
      parts.push(part)
      continue
    }
    take(part)
    // Others get their turn between two pieces.
    await nextTurn()
  }
  return Buffer.concat(parts)
}
