/**
 * What the portal uses of the library: two verifications, of what the contract's schemas have parsed. Everything else that
 * it exports stays out of reach.
 */
declare module '@simplewebauthn/server' {
  interface Expected<Response> {
    response: Response
    expectedChallenge: string
    expectedOrigin: string
    expectedRPID: string
    requireUserVerification: boolean
  }

  interface Shared {
    userVerified: boolean
    credentialDeviceType: 'singleDevice' | 'multiDevice'
    credentialBackedUp: boolean
  }

  /** @throws Error for anything that is not as expected */
  export function verifyRegistrationResponse(
    expected: Expected<import('#contract/passkeys/credentials.ts').NewCredential> & {
      requireUserPresence: boolean
      supportedAlgorithmIDs: readonly number[]
    },
  ): Promise<
    | { verified: false; registrationInfo?: never }
    | {
        verified: true
        registrationInfo: Shared & {
          aaguid: string
          credential: { id: string; publicKey: Uint8Array; counter: number }
        }
      }
  >

  /** @throws Error for anything that is not as expected */
  export function verifyAuthenticationResponse(
    expected: Expected<import('#contract/passkeys/credentials.ts').UsedCredential> & {
      credential: { id: string; publicKey: Uint8Array; counter: number }
    },
  ): Promise<{ verified: boolean; authenticationInfo: Shared & { newCounter: number } }>
}

declare module '@simplewebauthn/server/helpers' {
  /** @throws Error for anything that is no CBOR */
  export function decodeAttestationObject(bytes: Uint8Array): {
    get(name: 'fmt'): unknown
    get(name: 'attStmt'): { get(name: 'x5c'): unknown; size: number } | undefined
  }
}
