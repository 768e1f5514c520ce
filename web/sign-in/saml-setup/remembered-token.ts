const key = 'saml-setup'

/** Keeps the token of the link in this tab, for the way back from a test sign-in. */
export function rememberToken(token: string): void {
  try {
    sessionStorage.setItem(key, token)
  } catch {
    // Storage is off: the page then asks for the link again.
  }
}

export function rememberedToken(): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
