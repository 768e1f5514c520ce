const minutes = 60
const days = 24 * 60 * minutes

/**
 * The purposes of data keys, and how many seconds a replaced key still decrypts and verifies. Values that live longer are
 * re-encrypted before the old key retires.
 */
export const keyPurposes = {
  /** Personal identity numbers and client secrets: the rotation re-encrypts them, then the old key retires. */
  fields: { kind: 'symmetric', retainFor: 5 * minutes },
  /** The lookup index of personal identity numbers: the rotation recomputes every row, then the old key retires. */
  index: { kind: 'symmetric', retainFor: 5 * minutes },
  /** Cookies live no longer than a session. */
  cookies: { kind: 'symmetric', retainFor: 2 * days },
  /** Derived link tokens live at most 30 days. */
  tokens: { kind: 'symmetric', retainFor: 31 * days },
  /** Six-digit codes live 10 minutes. */
  codes: { kind: 'symmetric', retainFor: 1 * days },
  /** A failed message keeps its values until it is resent; the key is kept as long as one uses it. */
  outbox: { kind: 'symmetric', retainFor: 31 * days },
  /** Services cache our keys to verify ID tokens. */
  oidcSigning: { kind: 'signing', retainFor: 7 * days },
  /** Companies need time to install the new certificate. */
  samlSigning: { kind: 'signing', retainFor: 90 * days },
  /** Companies encrypt for the old key until they have installed the new certificate. */
  samlEncryption: { kind: 'decryption', retainFor: 90 * days },
  /** Signs what was removed from the audit log. Each removal makes a new signature; old exports are checked with the old key. */
  auditSigning: { kind: 'signing', retainFor: 3650 * days },
} as const satisfies Record<string, { kind: 'symmetric' | 'signing' | 'decryption'; retainFor: number }>

export type KeyPurpose = keyof typeof keyPurposes
type PurposeOf<Kind> = { [P in KeyPurpose]: (typeof keyPurposes)[P]['kind'] extends Kind ? P : never }[KeyPurpose]
export type SymmetricPurpose = PurposeOf<'symmetric'>
export type SigningPurpose = PurposeOf<'signing'>
export type DecryptionPurpose = PurposeOf<'decryption'>

/** Seconds during which a new key only verifies, so that every process has loaded it before the first one uses it. */
export const keyActivationDelay = 5 * minutes
/** Seconds between reloads of the keys; well below the activation delay. */
export const keyReloadInterval = 1 * minutes

export const allKeyPurposes = Object.keys(keyPurposes) as KeyPurpose[]
export const isKeyPurpose = (text: string): text is KeyPurpose => Object.hasOwn(keyPurposes, text)
