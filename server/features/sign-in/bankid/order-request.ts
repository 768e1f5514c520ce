import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { browserOf } from '#server/oidc/login-state.ts'
import type { BankIdRequest } from '#server/platform/bankid.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { translate } from '#server/platform/texts.ts'

/**
 * What an order is asked for. Not for whom: the address is not proven, and a personal number that belongs to it would
 * ring the phone of somebody who asked for nothing.
 *
 * @param nonce what the app is to bring back to this browser, where it is opened on this device
 */
export function orderRequest(
  {
    config,
    keys,
    ip,
    params,
    http: { request },
  }: Pick<RequestContext, 'config' | 'keys' | 'ip' | 'http'> & { params: { uid: string } },
  nonce: string | undefined,
): BankIdRequest {
  const browser = browserOf(request, config) ?? ''
  const { companyName, baseUrl } = config
  const userAgent = request.headers['user-agent'] ?? ''
  return {
    endUserIp: plainAddress(ip),
    visibleText: translate(requestLanguage(request), 'bankIdIntent', { companyName }),
    returnUrl: nonce && wayBack(userAgent, `${baseUrl}/interaction/${params.uid}/bankid/back?nonce=${nonce}`),
    web: {
      referringDomain: new URL(baseUrl).hostname,
      userAgent: userAgent.slice(0, 400) || 'unknown',
      // BankID recognises the browser by it, and learns nothing that opens anything here.
      deviceIdentifier: createHmac('sha256', keys.current('cookies').secret).update(`bankid ${browser}`).digest('hex'),
    },
  }
}

/** iOS opens every address in the default browser; others are called by names of their own. */
function wayBack(userAgent: string, address: string): string {
  if (/crios/i.test(userAgent)) return address.replace(/^http/, 'googlechrome')
  if (/fxios/i.test(userAgent)) return `firefox://open-url?url=${encodeURIComponent(address)}`
  return /edgios/i.test(userAgent) ? `microsoft-edge-${address}` : address
}

// An IPv4 address inside IPv6 is itself; a zone (`fe80::1%eth0`) is no part of an address.
function plainAddress(ip: string): string {
  const [address = ''] = ip.replace(/^::ffff:(?=[0-9.]+$)/i, '').split('%')
  return isIP(address) ? address : '0.0.0.0'
}
