/**
 * The tests that take longest. `npm run check` leaves them out, with what starts and kills servers; `npm run test:all` runs
 * them. By path, because some names stand in several rooms.
 */
export const longTests = [
  'test/process/**',
  'test/access.test.ts',
  'test/accounts.test.ts',
  'test/bad-requests.test.ts',
  'test/clock-skew.test.ts',
  'test/conformance.test.ts',
  'test/events.test.ts',
  'test/every-event.test.ts',
  'test/isolation.test.ts',
  'test/sign-in-floor.test.ts',
  'server/admin.test.ts',
  'server/admin/clients.test.ts',
  'server/backup/backup.test.ts',
  'server/demo/load-demo.test.ts',
  'server/features/audit-events/audit-events.test.ts',
  'server/features/audit-events/events-in-sight.test.ts',
  'server/features/audit-events/export-events.test.ts',
  'server/features/audit-streams/audit-streams.test.ts',
  'server/features/invitations/import-people.test.ts',
  'server/features/invitations/invite.test.ts',
  'server/features/invitations/membership-needs-consent.test.ts',
  'server/features/invitations/whose-account.test.ts',
  'server/features/passive-users/passive-users.test.ts',
  'server/features/password-reset/reset-password.test.ts',
  'server/features/saml-setups/saml-setups.test.ts',
  'server/features/saml-sign-out/saml-sign-out.test.ts',
  'server/features/sign-in/bankid/bankid.test.ts',
  'server/features/sign-in/company-oidc/company-oidc.test.ts',
  'server/features/sign-in/company/create-person.test.ts',
  'server/credentials/credentials.test.ts',
  'server/features/sign-in/saml/saml.test.ts',
  'server/credentials/second-factor.test.ts',
  'server/features/sign-in/step-up.test.ts',
  'server/features/system/system.test.ts',
  'server/features/users/user-lists.test.ts',
  'server/oidc/logout/logout.test.ts',
  'server/oidc/service-client.test.ts',
  'server/platform/audit/audit-export.test.ts',
  'server/platform/audit/retention.test.ts',
  'server/platform/audit/sealer.test.ts',
  'server/platform/http/http-server.test.ts',
  'server/platform/messages/outbox.test.ts',
  'server/platform/messages/smtp-mailer.test.ts',
  'server/platform/secrets/keys.test.ts',
  'server/platform/secrets/passwords.test.ts',
  'server/saml/differential.test.ts',
  'server/saml/encrypted-assertions.test.ts',
  'server/saml/hostile-responses.test.ts',
  'server/saml/signature-algorithms.test.ts',
]

/** Long ones that `npm test` runs all the same: who may do what, that no organisation sees another, and conformance. */
const provesTheProduct = [
  'test/access.test.ts',
  'test/accounts.test.ts',
  'test/conformance.test.ts',
  'test/isolation.test.ts',
]

/** What `npm test` leaves to `npm run test:rest`. */
export const laterTests = longTests.filter((path) => !provesTheProduct.includes(path))
