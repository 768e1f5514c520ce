/** An order as BankID gives it out. All of it is secret but what `qrCode` makes and the autostart token. */
export interface BankIdOrder {
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
}

/** What an order is asked for. */
export interface BankIdRequest {
  /** Of the browser. */
  endUserIp: string
  /** What the app shows to the person. */
  visibleText: string
  /** Where an app that was opened on this device leads afterwards, at most 512 characters; only for such an order. */
  returnUrl?: string | undefined
  /** Tells BankID where the person stands, so that it can say how risky that looks. */
  web: { referringDomain: string; userAgent: string; deviceIdentifier: string }
}

/** How far an order has come. Hint codes are BankID's own, and new ones come without notice. */
export type BankIdProgress =
  | { status: 'pending' | 'failed'; hintCode: string }
  | { status: 'complete'; personalNumber: string; risk: string | undefined }

/**
 * Why BankID did not do what it was asked.
 *
 * - `unavailable`: it does not answer, or says that it cannot now; the same call may succeed a moment later
 * - `alreadyInProgress`: the person has another order open
 * - `noOrder`: it knows no such order (any more)
 * - `refused`: it does not take our requests: the certificate, the address, or a bug
 */
export class BankIdFailure extends Error {
  override name = 'BankIdFailure'
  readonly kind: 'unavailable' | 'alreadyInProgress' | 'noOrder' | 'refused'

  /** @param message for the log: status and error code, never what BankID says besides */
  constructor(kind: BankIdFailure['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** BankID's relying party API, or the simulator: passed in, like the mailer. Every call throws `BankIdFailure`. */
export interface BankId {
  begin(request: BankIdRequest): Promise<BankIdOrder>
  /** Asks how far an order has come. A final result is told once. */
  collect(orderRef: string): Promise<BankIdProgress>
  cancel(orderRef: string): Promise<void>
  /** When the client certificate ends, where there is one. */
  certificateEnds?: Date | undefined
  close(): Promise<void>
}
