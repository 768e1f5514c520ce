import type { launcher } from '#contract/launcher.ts'
import type { AnswerOf } from '#contract/route.ts'
import type { session } from '#contract/session.ts'
import { askAhead } from '#web/lib/early-answers.ts'
import { currentMembership, storedOrganization } from '#web/lib/stored-organization.ts'

/**
 * Puts the questions of ask-early.ts while the app is still on its way, as each answer names what the next one is
 * about. It brings no schemas along: what the answers are worth is looked at by the calls that take them, and
 * ask-ahead.test.ts holds the addresses to the contract.
 *
 * @returns when it is known who is there, and everything is asked that follows from that
 */
export async function askAboutPerson(): Promise<void> {
  const { accountId, passwordMustChange } = await askAhead<AnswerOf<typeof session.me>>('/api/me')
  if (passwordMustChange) return
  const person = `/api/users/${accountId}`
  const askForServices = (organizationId: string) => {
    if (location.pathname === '/') askAhead(`${person}/${encodeURIComponent(organizationId)}/services`).catch(ignore)
  }
  const stored = storedOrganization()
  if (stored) askForServices(stored)
  askAhead(`${person}/admin-services`).catch(ignore)
  askAhead<AnswerOf<typeof launcher.organizations>>(`${person}/organizations`)
    .then((organizations) => {
      const current = currentMembership(organizations, stored)?.organizationId
      if (current && current !== stored) askForServices(current)
    })
    .catch(ignore)
}

const ignore = () => undefined
