/** A row of `provider_artifacts`, as it is read. */
export interface FoundArtifact {
  payload: unknown
  expiresAt: Date | null
  consumedAt: Date | null
}

/** What claims are made from, and whether the person has the service. */
export interface AccountFacts {
  email: string
  firstName: string | null
  lastName: string | null
  preferredLanguage: string | null
  phoneNumber: string | null
  passwordMustChange: boolean
  emailVerified: boolean
  phoneVerified: boolean
  hasService: boolean
}

/** A code or token with its client's version, its grant, its session and its account. */
export interface ReadRow extends FoundArtifact, AccountFacts {
  /** Hex of the hash under which it is stored. */
  key: string
  model: string
  clientId: string | null
  clientVersion: string | null
  grantId: string | null
  grant: unknown
  grantExpiresAt: Date | null
  uid: string | null
  accountId: string | null
  authEpoch: number | null
  authenticatedAt: Date | null
  session: unknown
  sessionExpiresAt: Date
  createdAt: Date
  /** Of the token, if the account may still be used. */
  ownerId: string | null
}
