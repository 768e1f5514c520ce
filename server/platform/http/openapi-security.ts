import type { Route } from '#contract/route.ts'

/** How a caller says who it is: the session's cookie, or a token that a service has got for itself. */
export const securitySchemes = ({ baseUrl, cookie }: { baseUrl: string; cookie: string }) => ({
  session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'The one session' },
  service: {
    type: 'oauth2',
    description: 'A token that a service gets for itself',
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/oidc/token`,
        scopes: { directory: 'The people who have the service' },
      },
    },
  },
})

/** Which of them a call asks for. */
export function securityOf({ access }: Route): Record<string, string[]>[] {
  if (access === 'public') return []
  return access === 'machine' ? [{ service: ['directory'] }] : [{ session: [] }]
}
