import { Resolver } from 'node:dns'
import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { refuseRawPassword } from './platform/password-in-address.ts'
import { type Secret, secret } from './platform/secret.ts'
import { splitHosts } from './platform/split-hosts.ts'
import { WrongValue } from './platform/wrong-value.ts'

/** Parses the text of an environment variable, or throws `WrongValue`. */
export type Check<T> = (text: string) => T

/** Relative paths are resolved from the project's folder, not from the working directory. */
export const projectFolder = join(import.meta.dirname, '..')

export const anyText: Check<string> = (text) => text

export const secretText: Check<Secret> = (text) => secret(text)

export const path: Check<string> = (text) => (isAbsolute(text) ? text : join(projectFolder, text))

export const wholeNumber =
  (least: number, most: number): Check<number> =>
  (text) => {
    const number = Number(text)
    if (!/^[0-9]+$/.test(text) || number < least || number > most) {
      throw new WrongValue(`must be a whole number from ${least} to ${most}`)
    }
    return number
  }

export const oneOf =
  <const T extends string>(...values: T[]): Check<T> =>
  (text) => {
    const value = values.find((candidate) => candidate === text)
    if (value === undefined) throw new WrongValue(`must be one of ${values.join(', ')}`)
    return value
  }

export const onOrOff: Check<boolean> = (text) => {
  if (['on', '1', 'true', 'yes'].includes(text.toLowerCase())) return true
  if (['off', '0', 'false', 'no'].includes(text.toLowerCase())) return false
  throw new WrongValue('must be on or off')
}

const parseUrl = (text: string, ...protocols: string[]): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocols.includes(url.protocol)) {
    throw new WrongValue(`must be an address that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`)
  }
  return url
}

/** The portal's origin: links and the OpenID issuer are built from it. */
export const origin: Check<string> = (text) => {
  const url = parseUrl(text, 'http:', 'https:')
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new WrongValue('must be an address without a path, such as https://portal.example.com')
  }
  return url.origin
}

export const webAddress: Check<string> = (text) => parseUrl(text, 'http:', 'https:').href.replace(/\/$/, '')

export const contactAddress: Check<string> = (text) => parseUrl(text, 'https:', 'mailto:').href

/** An address that contains a password, so it cannot be printed. */
export const secretAddress =
  (...protocols: string[]): Check<Secret> =>
  (text) => {
    refuseRawPassword(text)
    parseUrl(text, ...protocols)
    return secret(text)
  }

/** The address of a PostgreSQL, or of several of which one accepts writes. */
export const databaseAddress: Check<Secret> = (text) => {
  refuseRawPassword(text)
  for (const url of splitHosts(text)) {
    const wanted = parseUrl(url, 'postgres:', 'postgresql:').searchParams.get('target_session_attrs')
    if (wanted && wanted !== 'read-write' && wanted !== 'primary')
      throw new WrongValue('must have target_session_attrs=read-write or none')
  }
  return secret(text)
}

/** The address of one PostgreSQL: how far behind it is would be asked of another one behind a balancer. */
export const replicaAddress: Check<Secret> = (text) => {
  if (splitHosts(text).length > 1) throw new WrongValue('must name one server')
  refuseRawPassword(text)
  parseUrl(text, 'postgres:', 'postgresql:')
  return secret(text)
}

export const mailAddress: Check<string> = (text) => {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(text)) throw new WrongValue('must be an e-mail address')
  return text
}

/** `name@host` or `Name <name@host>`. */
export const mailSender: Check<string> = (text) => {
  if (!/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text)) {
    throw new WrongValue('must be an e-mail address, or Name <address>')
  }
  return text
}

/**
 * A sender that SMS gateways accept: an E.164 number, a short code, at most eleven characters with at least one letter, or
 * a Twilio messaging service. With any other value every message would fail.
 */
export const smsSender: Check<string> = (text) => {
  if (!/^(\+[1-9][0-9]{6,14}|[1-9][0-9]{2,7}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11}|MG[0-9a-fA-F]{32})$/.test(text))
    throw new WrongValue('must be a number such as +46766861004, or at most 11 letters and digits')
  return text
}

/** Addresses and networks, separated by commas: `10.0.0.0/8, 2001:db8::1`. */
export const addressList: Check<string[]> = (text) => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIP(address)
    // Trusting half of all addresses would let most clients choose their own: no network is wider than these two. The prefix
    // of one of IPv4 that is written as IPv6 is counted differently by each reader.
    const [widest, longest] = family === 6 ? ([7, 128] as const) : ([8, 32] as const)
    const isMapped = family === 6 && /^[0:]*:ffff:/i.test(address)
    const bits = /^[1-9][0-9]{0,2}$/.test(prefix ?? '') ? Number(prefix) : 0
    const prefixFits = prefix === undefined || (!isMapped && bits >= widest && bits <= longest)
    if (family === 0 || !prefixFits || rest.length > 0) {
      throw new WrongValue('must be addresses or networks separated by commas, none wider than 10.0.0.0/8 or fc00::/7')
    }
  }
  return entries
}

/** Addresses of DNS servers, separated by commas: `192.0.2.53, [2001:db8::53]:5353`. */
export const dnsServers: Check<string[]> = (text) => {
  const servers = text
    .split(',')
    .map((server) => server.trim())
    .filter((server) => server !== '')
  try {
    new Resolver().setServers(servers)
  } catch {
    throw new WrongValue('must be addresses of DNS servers separated by commas, such as 192.0.2.53,[2001:db8::53]:53')
  }
  return servers
}

/** Hosts, separated by commas: `journal.internal, 10.0.0.7:8443`. */
export const hostList: Check<string[]> = (text) => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return entries.map((entry) => {
    const url = URL.parse(`https://${entry}`)
    if (!url || url.href !== `https://${url.host}/` || /[/?#@*]/.test(entry))
      throw new WrongValue('must be hosts separated by commas, such as journal.internal,10.0.0.7:8443')
    return url.host
  })
}

/** A host without a port. */
export const hostName: Check<string> = (text) => {
  const url = URL.parse(`tls://${text}`)
  if (!url?.hostname || url.host !== url.hostname || /[/?#@]/.test(text) || url.port)
    throw new WrongValue('must be a host name, such as portal.example.com')
  return text
}

/** A host with or without a port. */
export const hostAndPort =
  (usualPort: number): Check<{ host: string; port: number }> =>
  (text) => {
    const url = URL.parse(`tls://${text}`)
    if (!url?.hostname || /[/?#@]/.test(text)) throw new WrongValue('must be a host, or host:port')
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || usualPort) }
  }

/** At least 32 bytes that are not a placeholder. */
export const masterKey: Check<Secret> = (text) => {
  if (Buffer.byteLength(text) < 32) throw new WrongValue('is too short: at least 32 bytes (openssl rand -base64 32)')
  if (looksLikePlaceholder(text))
    throw new WrongValue('looks like a placeholder: make one with openssl rand -base64 32')
  return secret(text)
}

/** True for a key that looks typed at random or copied from an example. */
const looksLikePlaceholder = (text: string): boolean =>
  new Set(text).size < 10 || /change.?me|default|example|placeholder|insecure|password/i.test(text)
