import type { Page } from '@playwright/test'

/** An authenticator in the browser of a page, without a device (WebAuthn's automation, over CDP). */
export async function addAuthenticator(page: Page, { hasUserVerification = true } = {}) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  })
  // Notes on each page whether it has asked for a key.
  await page.addInitScript(() => {
    const ask = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      const answer = ask(options)
      Object.assign(window, { keyAsked: true })
      return answer
    }
  })
  return {
    /** Until the page has asked for a key. */
    asked: () => page.waitForFunction(() => 'keyAsked' in window),
    /** Somebody touches it whenever the browser asks, also for autofill. It counts for requests that begin afterwards. */
    answerAtOnce: () => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true }),
    /** Nobody touches it. */
    answerNever: () => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false }),
    verifyNobody: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    verifyEverybody: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
    /** The keys in it. */
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** A copy of each key that was made before it was used. */
    turnBack: async () => {
      for (const credential of (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials) {
        await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId })
        await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
      }
    },
    /** The owner deletes the keys in the settings of the phone. */
    forgetAll: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }),
  }
}
