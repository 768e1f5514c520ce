/**
 * The tests that take longest. `npm run check` leaves them out, with what starts and kills servers; `npm test` runs them.
 * By path, because some names stand in several rooms.
 */
export const longTests = [
  'test/process/**',
  'test/access.test.ts',
  'test/accounts.test.ts',
  'test/bad-requests.test.ts',
  'test/events.test.ts',
  'test/every-event.test.ts',
  'server/admin.test.ts',
  'server/backup/backup.test.ts',
  'server/features/audit-events/event-pages.test.ts',
  'server/features/invitations/import-people.test.ts',
  'server/features/invitations/invite.test.ts',
  'server/features/invitations/membership-needs-consent.test.ts',
  'server/features/invitations/whose-account.test.ts',
  'server/features/password-reset/reset-password.test.ts',
  'server/features/saml-sign-out/saml-sign-out.test.ts',
  'server/features/sign-in/bankid/bankid.test.ts',
  'server/features/sign-in/company-oidc/company-oidc.test.ts',
  'server/features/sign-in/credentials.test.ts',
  'server/features/sign-in/company/create-person.test.ts',
  'server/features/sign-in/second-factor.test.ts',
  'server/oidc/logout/logout.test.ts',
  'server/oidc/service-client.test.ts',
  'server/platform/messages/outbox.test.ts',
  'server/saml/differential.test.ts',
]
