import { domainToUnicode } from './domain-to-unicode.ts'

/**
 * The canonical form of an e-mail address, by which accounts are unique and looked up: the local part folded (NFKC, lower
 * case), the domain in its own canonical form. An invalid domain becomes empty, which makes the address
 * invalid. The caller must limit the length first: folding takes quadratic time.
 */
export function canonicalEmail(address: string): string {
  const whole = folded(address)
  const domain = whole.lastIndexOf('@') + 1
  return domain === 0 ? whole : whole.slice(0, domain) + canonicalDomain(whole.slice(domain))
}

// Lower-casing can produce sequences that compose again.
const folded = (text: string) => text.normalize('NFKC').toLowerCase().normalize('NFKC')

// Characters that a URL parser would not treat as part of the host.
const notInHost = /[\s\p{C}/?#%:@\\]/u

/** The canonical form of a mail domain: mapped by UTS 46 and written in Unicode; empty if it is invalid. */
export function canonicalDomain(domain: string): string {
  if (/^[a-z0-9.-]*\.[a-z][a-z0-9-]*$/.test(domain) && !domain.includes('xn--')) return domain
  const host = notInHost.test(domain) ? undefined : URL.parse(`http://${domain}`)?.hostname
  // A host that ends in a number is an IPv4 address.
  return host && !/\.[0-9]+$/.test(host) ? domainToUnicode(host) : ''
}
