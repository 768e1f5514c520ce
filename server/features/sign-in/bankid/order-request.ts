import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { BankIdRequest } from '#server/bankid/bankid.ts'
import { readBrowserId } from '#server/oidc/login-state.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { translate } from '#server/platform/messages/texts.ts'

/**
 * The parameters of a new BankID order. It names no personal number: the address is not proven yet, and a number would
 * make the phone of someone who asked for nothing ring.
 *
 * @param nonce what the app returns to this browser, when it is opened on this device
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
  const browser = readBrowserId(request, config) ?? ''
  const { companyName, baseUrl } = config
  const userAgent = request.headers['user-agent'] ?? ''
  return {
    endUserIp: plainAddress(ip),
    visibleText: translate(detectLanguage(request), 'bankIdIntent', { companyName }),
    returnUrl: nonce && returnAddress(userAgent, `${baseUrl}/interaction/${params.uid}/bankid/back?nonce=${nonce}`),
    web: {
      referringDomain: new URL(baseUrl).hostname,
      userAgent: userAgent.slice(0, 400) || 'unknown',
      // Lets BankID recognise the browser, without revealing the cookie value.
      deviceIdentifier: createHmac('sha256', keys.current('cookies').secret).update(`bankid ${browser}`).digest('hex'),
    },
  }
}

/** iOS opens https links in the default browser; other browsers have URL schemes of their own. */
function returnAddress(userAgent: string, address: string): string {
  if (/crios/i.test(userAgent)) return address.replace(/^http/, 'googlechrome')
  if (/fxios/i.test(userAgent)) return `firefox://open-url?url=${encodeURIComponent(address)}`
  return /edgios/i.test(userAgent) ? `microsoft-edge-${address}` : address
}

// Unwraps an IPv4-mapped IPv6 address and removes a zone (`fe80::1%eth0`).
function plainAddress(ip: string): string {
  const [address = ''] = ip.replace(/^::ffff:(?=[0-9.]+$)/i, '').split('%')
  return isIP(address) ? address : '0.0.0.0'
}
