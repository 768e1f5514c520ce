import { useEffect } from 'react'
import type { OwnPasskeys } from '#contract/passkeys/passkeys.ts'

interface Signals {
  signalAllAcceptedCredentials?: (what: {
    rpId: string
    userId: string
    allAcceptedCredentialIds: string[]
  }) => Promise<void>
  signalCurrentUserDetails?: (what: {
    rpId: string
    userId: string
    name: string
    displayName: string
  }) => Promise<void>
}

/** Tells the authenticators which keys still work and what the account is called now, so that their lists are true (WebAuthn 3). */
export function useSignals(signal: OwnPasskeys['signal'] | undefined): void {
  useEffect(() => {
    if (!signal || typeof PublicKeyCredential !== 'function') return
    const { rpId, userId, name, displayName, allAcceptedCredentialIds } = signal
    const browser = PublicKeyCredential as Signals
    const tell = async () => {
      await browser.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds })
      await browser.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
    }
    void tell().catch(() => undefined)
  }, [signal])
}
