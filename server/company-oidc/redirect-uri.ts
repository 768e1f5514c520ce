import type { Config } from '#server/config.ts'

/** Where a company's provider sends the browser back to: each configuration has an address of its own (RFC 9700, 4.4.2). */
export const redirectUri = ({ baseUrl }: Pick<Config, 'baseUrl'>, id: number) =>
  `${baseUrl}/company-oidc/${id}/callback`

/** Where they find the portal's public keys. */
export const jwksUri = ({ baseUrl }: Pick<Config, 'baseUrl'>) => `${baseUrl}/company-oidc/jwks`
