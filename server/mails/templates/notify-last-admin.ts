import { paragraph, type Template } from '#server/mails/template.ts'

export interface NotifyLastAdmin {
  /** Of the super user who gets the mail. */
  firstName: string | null
  /** The only admin of the organisations who can sign in. */
  admin: { name: string | null; email: string }
  organizationNames: readonly string[]
  /** ISO 8601 */
  becomesPassiveAt: string
}

export const notifyLastAdmin: Template<NotifyLastAdmin> = (values, { text, greeting, day, portal }) => {
  const { firstName, admin, organizationNames, becomesPassiveAt } = values
  return {
    subject: text('mailLastAdminSubject', { name: admin.name ?? admin.email }),
    preview: organizationNames.join(', '),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailLastAdmin', { day: day(becomesPassiveAt) })),
      {
        kind: 'list',
        items: [
          {
            title: admin.name ? `${admin.name} (${admin.email})` : admin.email,
            detail: organizationNames.join(', '),
          },
        ],
      },
      paragraph(text('mailLastAdminWhatToDo')),
      { kind: 'button', label: text('mailOpenUserAdministration'), link: `${portal.baseUrl}/users` },
    ],
  }
}
