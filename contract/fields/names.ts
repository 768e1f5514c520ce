import * as z from 'zod/mini'
import { tidyName } from './as-written.ts'
import { hasVisibleCharacters, limited, message, optionalText, requiredText } from './fields.ts'

// Line breaks and other control characters, and those that reverse the text after them.
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/** Whether a text breaks lines, controls a terminal, or turns what follows it around. */
export const hasControls = (text: string): boolean => controls.test(text)
const invisible = /[\p{Cf}\p{DI}]/gu
const schemes = /:\/\/|(^|[^\p{L}\p{N}])(www\.|(https?|mailto|javascript):\S)/iu
const numericHost = /(^|[^\d.])\d{1,3}(\.\d{1,3}){3}($|[^\d.])/
// Initials may look like a host (J.Larsson, E.ON), unless something follows that only an address has.
const withPath = /\.\p{L}{2,}(:\d|[/?#])\S/u

/**
 * Says whether a name could be read as a web address, by people or by a mail program that makes links: `://`, `www.`, or a
 * host with a dot, such as `evil.example`. A dot that ends a word is none (St. Anna, A.P. Møller - Mærsk, m.fl., Studio 2.0),
 * and initials are none (J.R.Larsson). What is refused wrongly can be written with a space after the dot (product-rules 12.6).
 */
export function looksLikeAddress(name: string): boolean {
  // As a browser reads a host: full-width letters and the dots of other scripts.
  const plain = name.replaceAll(invisible, '').normalize('NFKC').replaceAll('\u3002', '.')
  if (schemes.test(plain) || numericHost.test(plain) || withPath.test(plain)) return true
  return (plain.match(/[\p{L}\p{M}\p{N}_.-]+/gu) ?? []).some(hasHost)
}

/** A label of two or more characters, and after it, behind a dot, one that begins with two letters. */
function hasHost(word: string): boolean {
  let isLong = false
  for (const label of word.split('.')) {
    if (isLong && /^(\p{L}\p{M}*){2}/u.test(label)) return true
    isLong = label !== '' && (isLong || label.length > 1)
  }
  return false
}

const canBeName = (text: string) => !hasControls(text) && !looksLikeAddress(text)

/** The check of a name, for a text with checks of its own. */
export const isName = z.refine<string>(canBeName, message('nameLooksLikeAddress'))

/**
 * A required name of a person or thing. Mails and pages show it between words of the portal, where a web address would be the
 * link of the person who typed it.
 */
export const requiredName = (max = 254) =>
  // One in which nothing can be seen is missing, and that is said once.
  requiredText(max).check(
    z.overwrite(tidyName),
    limited(max),
    z.refine((text) => !hasVisibleCharacters(text) || canBeName(text), message('nameLooksLikeAddress')),
  )

/** An optional name. An empty one is null. */
export const optionalName = (max = 254) =>
  z.pipe(optionalText(max), z.nullable(z.string().check(z.overwrite(tidyName), limited(max), isName)))
