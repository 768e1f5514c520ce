import type { Page } from '@playwright/test'

/** An authenticator in the browser of a page, without a device (WebAuthn's automation, over CDP). */
export async function addAuthenticator(page: Page, more: { hasUserVerification?: boolean } = {}) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...more,
    },
  })
  return {
    /** Somebody touches it whenever the browser asks, also for autofill. It counts for requests that begin afterwards. */
    answerAtOnce: () => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true }),
    /** Nobody touches it. */
    answerNever: () => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false }),
    verifyNobody: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    /** The keys in it. */
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** The owner deletes a key in the settings of the phone. */
    forget: (credentialId: string) => cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId }),
  }
}
