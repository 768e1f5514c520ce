import type { MessageKey } from './message-key.ts'

/** A single e-mail address as people type it: no list, no display name, no invisible characters, a domain with a dot. */
export const emailPattern =
  /^[^\s\p{C}\p{DI}@"(),:;<>[\\\]]+@[^\s\p{C}\p{DI}@"(),:;<>[\\\]]+\.[^\s\p{C}\p{DI}@.,:;<>]{2,}$/u

/** The error of a typed address, for light pages that load no schemas. */
export function emailProblem(typed: string): MessageKey | undefined {
  const address = typed.trim()
  if (address === '') return 'required'
  return emailPattern.test(address) ? undefined : 'invalidEmail'
}
