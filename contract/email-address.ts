import type { MessageKey } from './message-key.ts'

/** One address as people type it: no lists, no display name, a domain with a dot. Its length is the limit of RFC 5321. */
export const emailPattern = /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+\.[^\s\p{C}@.,:;<>]{2,}$/u

/** What is wrong with an address that somebody typed, for pages that are too light for schemas. */
export function emailProblem(typed: string): MessageKey | undefined {
  const address = typed.trim()
  if (address === '') return 'required'
  return emailPattern.test(address) ? undefined : 'invalidEmail'
}
