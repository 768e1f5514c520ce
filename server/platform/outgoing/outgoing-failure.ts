import type { MessageKey } from '#contract/message-key.ts'
import { Problem } from '#server/platform/problem.ts'

const texts = {
  notHttps: 'outgoingNotHttps',
  port: 'outgoingPort',
  credentials: 'outgoingCredentials',
  internal: 'outgoingInternal',
  quarantine: 'outgoingQuarantine',
  redirect: 'outgoingRedirect',
  tooLarge: 'outgoingTooLarge',
  timeout: 'outgoingTimeout',
  unknownHost: 'outgoingUnknownHost',
  unreachable: 'outgoingUnreachable',
  certificate: 'outgoingCertificate',
} as const satisfies Record<string, MessageKey>

/** The rule that refused a call, or what went wrong. */
export type OutgoingReason = keyof typeof texts

/** The text of a reason that was written down. */
export const outgoingText = (reason: string): MessageKey | undefined =>
  Object.hasOwn(texts, reason) ? texts[reason as OutgoingReason] : undefined

/** A call to a typed address that was refused or failed. Thrown by a handler, it is a 422 whose text names the reason. */
export class OutgoingFailure extends Problem {
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, cause?: unknown) {
    super(422, texts[reason], { cause })
    this.name = 'OutgoingFailure'
    this.reason = reason
  }
}

/** What an error of DNS, the connection or TLS means. */
export function asOutgoingFailure(error: unknown, signal: AbortSignal): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  const { code = '' } = error as { code?: string }
  if (signal.aborted || code === 'UND_ERR_CONNECT_TIMEOUT') return new OutgoingFailure('timeout', error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new OutgoingFailure('unknownHost', error)
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return new OutgoingFailure('certificate', error)
  return new OutgoingFailure('unreachable', error)
}
