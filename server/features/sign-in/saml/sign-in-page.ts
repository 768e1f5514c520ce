import type { MessageKey } from '#contract/message-key.ts'

interface Said {
  email?: string | undefined
  error?: MessageKey | undefined
}

/** The e-mail step of a sign-in. Not the step after it: that one would lead straight to the company again. */
export function signInPage(uid: string, { email, error }: Said): string {
  const query = new URLSearchParams({ ...(email ? { email } : {}), ...(error ? { error } : {}) })
  return query.size > 0 ? `/interaction/${uid}?${query}` : `/interaction/${uid}`
}

/** A new sign-in, where it is not known which one this was. */
export const beginAgain = (error: MessageKey): string => `/login?${new URLSearchParams({ error })}`
