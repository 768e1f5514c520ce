import type { MessageKey } from '#contract/message-key.ts'

const needed: Readonly<Record<string, readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
}

/** Why a text is no JSON Web Key Set (RFC 7517) of public keys, or undefined. */
export function problemOfKeys(text: string): MessageKey | undefined {
  const keys = keysIn(text)
  if (!keys || keys.length === 0 || keys.length > 20) return 'invalidKeySet'
  if (keys.some((key) => 'd' in key || 'k' in key)) return 'clientKeyPrivate'
  const readable = keys.every((key) =>
    needed[String(key.kty)]?.every((name) => typeof key[name] === 'string' && /^[\w-]+$/.test(key[name])),
  )
  const described = keys.every((key) =>
    ['alg', 'kid', 'use'].every((name) => key[name] === undefined || (typeof key[name] === 'string' && key[name])),
  )
  if (!readable || !described) return 'invalidKeySet'
  return keys.some(isShort) ? 'clientKeyShort' : undefined
}

/** The bits of an RSA modulus: shorter ones are refused at every use (RFC 7518, 3.3). */
const leastBits = 2048

function isShort({ kty, n }: Record<string, unknown>): boolean {
  if (kty !== 'RSA') return false
  const modulus = atob(String(n).replaceAll('-', '+').replaceAll('_', '/')).replace(/^\0+/, '')
  return modulus.length * 8 - Math.clz32(modulus.charCodeAt(0)) + 24 < leastBits
}

function keysIn(text: string): Record<string, unknown>[] | undefined {
  try {
    const { keys } = JSON.parse(text)
    return Array.isArray(keys) && keys.every((key) => key && typeof key === 'object' && !Array.isArray(key))
      ? keys
      : undefined
  } catch {
    return undefined
  }
}
