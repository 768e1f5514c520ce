import { paragraph, type Template } from '#server/mails/template.ts'

export interface NotifyOrganizationAdmin {
  firstName: string | null
  organizationName: string
  /** The users who became passive. `lastActive` is ISO 8601, null for never; left out where the admin may not know. */
  users: readonly { name: string | null; email: string; lastActive?: string | null }[]
}

/** Mail programs truncate mails over 100 KB. */
const most = 40

export const notifyOrganizationAdmin: Template<NotifyOrganizationAdmin> = (values, { text, greeting, day, portal }) => {
  const { firstName, organizationName, users } = values
  const shown = users.length > most ? users.slice(0, most - 1) : users
  const left = users.length - shown.length
  return {
    subject: text('mailPassiveUsersSubject', { organizationName }),
    preview: shown.map(({ name, email }) => name ?? email).join(', '),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailPassiveUsers')),
      {
        kind: 'list',
        items: shown.map(({ name, email, lastActive }) => ({
          title: name ? `${name} (${email})` : email,
          detail: lastActive
            ? text('mailLastActive', { day: day(lastActive) })
            : lastActive === null
              ? text('mailNeverActive')
              : undefined,
        })),
        more: left > 0 ? text('mailMoreUsers', { number: left }) : undefined,
      },
      paragraph(text('mailPassiveUsersWhatToDo')),
      { kind: 'button', label: text('mailOpenUserAdministration'), link: `${portal.baseUrl}/user-administration` },
    ],
  }
}
