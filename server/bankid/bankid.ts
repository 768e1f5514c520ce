/** An order as BankID returns it. Everything is secret except the autostart token and the computed QR code. */
export interface BankIdOrder {
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
}

/** The parameters of an order. */
export interface BankIdRequest {
  /** IP address of the browser. */
  endUserIp: string
  /** The text that the app shows. */
  visibleText: string
  /** Where the app on this device returns to, at most 512 characters; only for orders on the same device. */
  returnUrl?: string | undefined
  /** Context for BankID's risk assessment. */
  web: { referringDomain: string; userAgent: string; deviceIdentifier: string }
}

/** The status of an order. BankID may add new hint codes without notice. */
export type BankIdProgress =
  | { status: 'pending' | 'failed'; hintCode: string }
  | { status: 'complete'; personalNumber: string; risk: string | undefined }

/**
 * Why a call to BankID failed.
 *
 * - `unavailable`: no response, or a temporary error; a retry may succeed
 * - `alreadyInProgress`: the user has another open order
 * - `noOrder`: the order does not exist or has ended
 * - `refused`: BankID rejects our requests: the certificate, the address, or a bug
 */
export class BankIdFailure extends Error {
  override name = 'BankIdFailure'
  readonly kind: 'unavailable' | 'alreadyInProgress' | 'noOrder' | 'refused'

  /** @param message for the log: only status and error code */
  constructor(kind: BankIdFailure['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** BankID's relying party API, or the simulator. Every call may throw `BankIdFailure`. */
export interface BankId {
  begin(request: BankIdRequest): Promise<BankIdOrder>
  /** Polls the status of an order. BankID returns a final result only once. */
  collect(orderRef: string): Promise<BankIdProgress>
  cancel(orderRef: string): Promise<void>
  /** Expiry of the client certificate, if there is one. */
  certificateEnds?: Date | undefined
  close(): Promise<void>
}
