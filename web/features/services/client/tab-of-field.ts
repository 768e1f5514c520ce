import type { SignInTab } from '../services-search.ts'

const tabs: Readonly<Record<string, SignInTab>> = {
  kind: 'connect',
  redirectUris: 'connect',
  authentication: 'connect',
  jwks: 'connect',
  jwksUri: 'connect',
  postLogoutRedirectUris: 'signOuts',
  backchannelLogoutUri: 'signOuts',
  frontchannelLogoutUri: 'signOuts',
}

/** The tab that a field of the client's form is in. */
export const tabOfField = (name: string): SignInTab => tabs[name.split('.', 1)[0] ?? ''] ?? 'advanced'
