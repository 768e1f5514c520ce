/** An outgoing text message. */
export interface SmsToSend {
  /** E.164 */
  to: string
  text: string
  signal?: AbortSignal | undefined
}

/** Sends text messages. Called by the outbox; the error decides whether it retries. */
export interface Sms {
  /** @throws SmsFailure */
  send(sms: SmsToSend): Promise<void>
}

/** A message could not be sent. The error message contains neither the number nor credentials. */
export class SmsFailure extends Error {
  override readonly name = 'SmsFailure'
  /** Whether a retry may help. */
  readonly retry: boolean
  /** Seconds that the gateway asks to wait. */
  readonly retryAfter: number | undefined

  constructor(message: string, { retry, retryAfter }: { retry: boolean; retryAfter?: number | undefined }) {
    super(message)
    this.retry = retry
    this.retryAfter = retryAfter
  }
}
