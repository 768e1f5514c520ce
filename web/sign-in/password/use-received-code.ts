import { useEffect, useRef } from 'react'

// WebOTP, https://wicg.github.io/web-otp: not in TypeScript's library, and so far in Chromium alone.
declare global {
  interface CredentialRequestOptions {
    otp?: { transport: 'sms'[] }
  }
}
interface OtpCredential extends Credential {
  code: string
}

/**
 * Takes the code out of the SMS that binds it to this page, where the browser can and the person lets it. Elsewhere the
 * keyboard offers it, or it is typed.
 *
 * @param sentAt when the SMS was sent that is waited for; undefined while none is
 */
export function useReceivedCode(sentAt: number | undefined, onReceived: (digits: string) => void): void {
  const receive = useRef(onReceived)
  useEffect(() => {
    receive.current = onReceived
  })
  useEffect(() => {
    if (sentAt === undefined || !('OTPCredential' in window)) return
    const giveUp = new AbortController()
    navigator.credentials.get({ otp: { transport: ['sms'] }, signal: giveUp.signal }).then(
      (credential) => {
        const { code = '' } = (credential ?? {}) as Partial<OtpCredential>
        if (/^\d{6}$/.test(code) && !giveUp.signal.aborted) receive.current(code)
      },
      // The person would not, or has moved on: the code can still be typed.
      () => undefined,
    )
    return () => giveUp.abort()
  }, [sentAt])
}
