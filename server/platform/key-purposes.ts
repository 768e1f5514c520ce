const minutes = 60
const days = 24 * 60 * minutes

/**
 * What the data keys are for, and how long (seconds) a key that was replaced still opens and verifies. What lives
 * longer than that is sealed anew before the old key retires.
 */
export const keyPurposes = {
  /** Personal identity numbers and client secrets: sealed anew by the rotation, then the old key retires. */
  fields: { kind: 'symmetric', keepFor: 5 * minutes },
  /** Finds a personal identity number: every row is indexed anew by the rotation, then the old key retires. */
  index: { kind: 'symmetric', keepFor: 5 * minutes },
  /** Cookies live no longer than a session. */
  cookies: { kind: 'symmetric', keepFor: 2 * days },
  /** Links that are shown again live at most 30 days. */
  tokens: { kind: 'symmetric', keepFor: 31 * days },
  /** Six-digit codes live 10 minutes. */
  codes: { kind: 'symmetric', keepFor: 1 * days },
  /** A message that failed keeps its values until somebody resends it: the key waits for the last of them. */
  outbox: { kind: 'symmetric', keepFor: 31 * days },
  /** Whoever verifies ID tokens caches our keys. */
  oidcSigning: { kind: 'signing', keepFor: 7 * days },
  /** The companies' administrators need time to take in the new certificate. */
  samlSigning: { kind: 'signing', keepFor: 90 * days },
} as const satisfies Record<string, { kind: 'symmetric' | 'signing'; keepFor: number }>

export type KeyPurpose = keyof typeof keyPurposes
export type SymmetricPurpose = {
  [P in KeyPurpose]: (typeof keyPurposes)[P]['kind'] extends 'symmetric' ? P : never
}[KeyPurpose]
export type SigningPurpose = Exclude<KeyPurpose, SymmetricPurpose>

/** Seconds that a new key only verifies, so that every process knows it before the first one uses it. */
export const keyHeadStart = 5 * minutes
/** Seconds between two looks at the table; well below the head start. */
export const keyReloadInterval = 1 * minutes

export const allKeyPurposes = Object.keys(keyPurposes) as KeyPurpose[]
export const isKeyPurpose = (text: string): text is KeyPurpose => Object.hasOwn(keyPurposes, text)
