import type { KoaContextWithOIDC } from 'oidc-provider'

const signInPrompts = ['login', 'select_account']

/**
 * The address of this very authorization request, for a page of the portal that comes back to it. A fresh sign-in that it
 * asked for has happened by then.
 */
export function sameRequest({ params, result }: KoaContextWithOIDC['oidc']): string {
  const request = new URLSearchParams(
    Object.entries(params ?? {}).filter((one): one is [string, string] => typeof one[1] === 'string'),
  )
  if (result?.login) {
    const prompts = (request.get('prompt') ?? '')
      .split(' ')
      .filter((prompt) => prompt && !signInPrompts.includes(prompt))
    if (prompts.length > 0) request.set('prompt', prompts.join(' '))
    else request.delete('prompt')
  }
  return `/oidc/auth?${request}`
}
