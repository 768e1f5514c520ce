import { paragraph, type Template } from '#server/mails/template.ts'

export interface RefusedPassive {
  firstName: string | null
  /** The organisations whose administrators can help; if empty, refer to the operating company. */
  organizationNames: readonly string[]
  /** When the sign-in was refused. ISO 8601 */
  at: string
}

export const refusedPassive: Template<RefusedPassive> = (values, { text, greeting, dateTime, orList }) => {
  const { firstName, organizationNames, at } = values
  const whatToDo =
    organizationNames.length > 0
      ? text('mailRefusedPassiveAskAdmin', { organizationNames: orList(organizationNames) })
      : text('mailRefusedPassiveAskUs')
  return {
    subject: text('mailRefusedPassiveSubject'),
    heading: text('mailRefusedPassiveHeading'),
    preview: text('mailRefusedPassiveHeading'),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailRefusedPassive', { moment: dateTime(at) })),
      paragraph(whatToDo),
    ],
  }
}
