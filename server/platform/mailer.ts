import type { Language } from '#contract/roles.ts'

/** A mail on its way out. The recipient is one address, not a header that somebody would have to parse. */
export interface MailToSend {
  /** The outbox's id: the same at every try, so that a mail that arrives twice can be told to be one. */
  id: string
  to: string
  /** One line. */
  subject: string
  /** Of all of it. */
  language: Language
  text: string
  html: string
  /** Ends the try: whatever waits is left, and what has not left by then does not. */
  signal?: AbortSignal | undefined
}

/** Sends mail. The outbox calls it; what it throws decides whether the mail is tried again. */
export interface Mailer {
  /** @throws MailFailure */
  send(mail: MailToSend): Promise<void>
  close(): Promise<void>
}

/** A mail that did not leave. Its text names no credential and nothing of the mail. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** Can another try help? */
  readonly retry: boolean

  constructor(message: string, { retry }: { retry: boolean }) {
    super(message)
    this.retry = retry
  }
}
