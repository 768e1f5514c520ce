/** A text message on its way out. */
export interface SmsToSend {
  /** E.164 */
  to: string
  text: string
  signal?: AbortSignal | undefined
}

/** Sends text messages. The outbox calls it; what it throws decides whether the message is tried again. */
export interface Sms {
  /** @throws SmsFailure */
  send(sms: SmsToSend): Promise<void>
}

/** A message that did not leave. Its text names neither the number nor a credential. */
export class SmsFailure extends Error {
  override readonly name = 'SmsFailure'
  /** Can another try help? */
  readonly retry: boolean
  /** Seconds that the gateway asks to wait. */
  readonly retryAfter: number | undefined

  constructor(message: string, { retry, retryAfter }: { retry: boolean; retryAfter?: number | undefined }) {
    super(message)
    this.retry = retry
    this.retryAfter = retryAfter
  }
}
