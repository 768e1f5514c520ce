import { paragraph, type Template } from '../template.ts'

export interface RefusedPassive {
  firstName: string | null
  /** Whose administrators can help; none means that the operating company has to. */
  organizationNames: readonly string[]
  /** When the sign-in was refused. ISO 8601 */
  at: string
}

export const refusedPassive: Template<RefusedPassive> = (values, { text, greeting, moment, anyOf }) => {
  const { firstName, organizationNames, at } = values
  const whatToDo =
    organizationNames.length > 0
      ? text('mailRefusedPassiveAskAdmin', { organizationNames: anyOf(organizationNames) })
      : text('mailRefusedPassiveAskUs')
  return {
    subject: text('mailRefusedPassiveSubject'),
    heading: text('mailRefusedPassiveHeading'),
    preview: text('mailRefusedPassiveHeading'),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailRefusedPassive', { moment: moment(at) })),
      paragraph(whatToDo),
    ],
  }
}
