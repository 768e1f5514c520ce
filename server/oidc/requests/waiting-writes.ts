/** A row of `provider_artifacts`. */
export interface ArtifactRow {
  model: string
  idHash: Buffer
  /** JSON. */
  payload: string
  grantId: string | null
  accountId: string | null
  expiresAt: Date | null
}

/** A row of `sessions`, of now. */
export interface SessionRow {
  idHash: Buffer
  uid: string
  accountId: string | null
  /** Whole seconds, as the provider keeps it. */
  authenticatedAt: Date | null
  /** JSON: the factors that were proven now. They are added to those of before. */
  proofs: string
  userAgent: string | null
  ip: string | null
  /** JSON. */
  payload: string
  createdAt: Date
  expiresAt: Date
}

/** A session that the provider saves. */
export interface SavedSession extends SessionRow {
  /** The client of the request. */
  clientId: string | null
  /** Present where the request has read it: what it had read of the client, as JSON. */
  known: { entry: string | null } | undefined
  /** The interaction of the request. */
  interaction: string
  /** A company's identity provider signed the person in. */
  federated: boolean
}

/** What the provider saves in a request, one after the other. One statement at its end writes all of it, or nothing. */
export interface WaitingWrites {
  artifacts: Map<string, ArtifactRow>
  sessions: Map<string, SavedSession>
  /** The code or refresh token that is exchanged for the rows. */
  exchanged?: { model: string; idHash: Buffer }
  /** Who enters which service, by which client. */
  entry?: {
    accountId: string
    serviceId: string
    organizationId?: string | null | undefined
    clientId: string
  }
}
