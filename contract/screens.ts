/**
 * Every address at which the signed-in app draws a screen, `{name}` for a parameter. The server sends the app's HTML
 * for these and a true 404 for the rest, so a screen that is missing here shows as soon as somebody reloads it.
 */
export const screens = [
  '/',
  '/account',
  '/organization-settings',
  '/organization-settings/create',
  '/organization-settings/invite/{organizationId}',
  '/organization-settings/{organizationId}',
  '/organization-settings/{organizationId}/{accountId}',
  '/services',
  '/services/create',
  '/services/{serviceId}',
  '/user-administration',
  '/user-administration/create-user',
  '/user-administration/{accountId}',
  '/user-administration/hand-out/{serviceId}',
  '/user-administration/import/{organizationId}',
  '/user-administration/invite/{organizationId}',
  '/users',
  '/users/create-user',
  '/users/{accountId}',
] as const satisfies readonly `/${string}`[]

export type Screen = (typeof screens)[number]
