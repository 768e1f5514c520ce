import type { MessageKey } from '#contract/message-key.ts'

interface PageState {
  email?: string | undefined
  error?: MessageKey | undefined
  /** Names this failure to support. */
  reference?: string
}

/** The address of the e-mail step. The step after it would redirect to the company again. */
export function emailPageAddress(uid: string, { email, error, reference }: PageState): string {
  const query = new URLSearchParams({
    ...(email ? { email } : {}),
    ...(error ? { error } : {}),
    ...(reference ? { reference } : {}),
  })
  return query.size > 0 ? `/interaction/${uid}?${query}` : `/interaction/${uid}`
}

/** The address of a new sign-in, when the original one is unknown. */
export const newSignInAddress = (error: MessageKey): string => `/login?${new URLSearchParams({ error })}`
