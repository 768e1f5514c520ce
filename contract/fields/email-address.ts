import type { MessageKey } from '#contract/message-key.ts'
import { bareAddress } from './as-written.ts'

/** A single e-mail address as people type it: no list, no display name, no invisible characters, and a domain of
 * two labels or more, each of letters, digits and hyphens within. Nothing that a mail program decodes (`=?`, RFC 2047). */
export const emailPattern =
  /^(?![^@]*=\?)[^\s\p{C}\p{DI}@"(),:;<>[\\\]]+@(?:(?!-)(?:(?!\p{DI})[\p{L}\p{M}\p{N}-])+(?<!-)\.)+(?!-)(?:(?!\p{DI})[\p{L}\p{M}\p{N}-]){2,}(?<!-)$/u

/** The error of a typed address, for light pages that load no schemas. */
export function emailProblem(typed: string): MessageKey | undefined {
  const address = bareAddress(typed)
  if (address === '') return 'required'
  return emailPattern.test(address) ? undefined : 'invalidEmail'
}
