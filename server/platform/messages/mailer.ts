import type { Language } from '#contract/roles.ts'

/** An outgoing mail. The recipient is a single address, not a header to be parsed. */
export interface MailToSend {
  /** The id in the outbox: the same for every attempt, so that duplicates can be recognised. */
  id: string
  to: string
  /** One line. */
  subject: string
  /** Language of the whole mail. */
  language: Language
  text: string
  html: string
  /** In place of the portal's name; the address stays. */
  sender?: MailSender | undefined
  /** Aborts the attempt: a mail that has not been sent by then is not sent. */
  signal?: AbortSignal | undefined
}

/** The sender that an organisation has chosen. */
export interface MailSender {
  name: string | null
  replyTo: string | null
}

/** Sends mail. Called by the outbox; the error decides whether it retries. */
export interface Mailer {
  /** @throws MailFailure */
  send(mail: MailToSend): Promise<void>
  close(): Promise<void>
}

/** A mailer that can be asked. */
export interface MailServer extends Mailer {
  /** Whether the mail server can be reached and lets us in; sends nothing. */
  answers(): Promise<boolean>
}

interface MailFailureReasons {
  retry: boolean
  refusedAddress?: boolean
  unreachable?: boolean
  answer?: string | undefined
}

/** A mail could not be sent. The message contains no credentials and no content of the mail. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** Whether a retry may help. */
  readonly retry: boolean
  /** The mail server refused the recipient for good: there is no such mailbox. */
  readonly refusedAddress: boolean
  /** The mail server could not be reached, or did not let us in: every mail fails. */
  readonly unreachable: boolean
  /** What the mail server answered. It may quote the address or the mail, so no log and no queue gets it. */
  declare readonly answer: string | undefined

  constructor(message: string, { retry, refusedAddress = false, unreachable = false, answer }: MailFailureReasons) {
    super(message)
    this.retry = retry
    this.refusedAddress = refusedAddress
    this.unreachable = unreachable
    // A log writes the enumerable properties of an error.
    Object.defineProperty(this, 'answer', { value: answer })
  }
}
