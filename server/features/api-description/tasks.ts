/** What a reader wants to do, in the order in which it comes up, with the first parts of the paths that serve it. */
const tasks: readonly { name: string; tags: readonly string[] }[] = [
  {
    name: 'Sign in',
    tags: [
      'login',
      'interaction',
      'authType',
      'verify-credentials',
      'start-2fa-login',
      '2fa-delivery',
      'verify-credentials-2fa',
      'saml',
      'signed-in',
    ],
  },
  { name: 'Session', tags: ['me', 'start', 'session-expire', 'session-expired', 'step-up', 'logout'] },
  { name: 'Own account', tags: ['profile', 'initiate-password-reset', 'reset-password', 'not-me'] },
  { name: 'Invitations', tags: ['invites', 'accept-invitation'] },
  { name: 'Users', tags: ['users'] },
  { name: 'Organisations', tags: ['organizations'] },
  { name: 'Services', tags: ['services'] },
  { name: 'Organisation sign-in', tags: ['saml-configs'] },
  { name: 'Audit log', tags: ['audit-events'] },
  { name: 'For services: people and organisations', tags: ['v1'] },
  { name: 'Email templates', tags: ['email-templates'] },
]
const last = { name: 'Everything else', tags: [] }

/** The calls by task; those of no task come last. */
export function byTask<Call extends { tags: readonly string[] }>(
  calls: readonly Call[],
): { name: string; calls: Call[] }[] {
  const placeOf = (call: Call) => call.tags[0] ?? ''
  const known = new Set(tasks.flatMap(({ tags }) => tags))
  return [...tasks, last]
    .map(({ name, tags }) => ({
      name,
      calls:
        tags.length > 0
          ? tags.flatMap((tag) => calls.filter((call) => placeOf(call) === tag))
          : calls.filter((call) => !known.has(placeOf(call))),
    }))
    .filter(({ calls: found }) => found.length > 0)
}
