import { type NamedRole, roleText } from '#contract/organization-roles/role-labels.ts'
import { type Formatter, paragraph, type Template } from '#server/mails/template.ts'

/** What ends in an organisation on a day. */
export interface WhatEnds {
  /** The last day: `2026-12-31`. */
  endsOn: string
  membership: boolean
  /** Of the organisation or a part of it, or in the portal. */
  roles: readonly NamedRole[]
  services: readonly string[]
}

export interface AccessEnds extends WhatEnds {
  firstName: string | null
  organizationName: string
}

export interface AccessEndsOfOthers {
  firstName: string | null
  organizationName: string
  /** Where its reader finds the people. */
  page: 'user-administration' | 'users'
  people: readonly (WhatEnds & { accountId: string; name: string | null; email: string })[]
}

const whatEnds = ({ membership, roles, services }: WhatEnds, text: Formatter['text']) =>
  [
    ...(membership ? [text('mailAccessEndsMembership')] : []),
    ...roles.map((role) => roleText(role, text)),
    ...services,
  ].join(', ')

export const accessEnds: Template<AccessEnds> = (values, { text, greeting, day, portal }) => {
  const { firstName, organizationName, endsOn } = values
  const about = { organizationName, day: day(endsOn) }
  return {
    subject: text('mailAccessEndsSubject', about),
    preview: text('mailAccessEnds', about),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailAccessEnds', about)),
      { kind: 'list', items: [{ title: whatEnds(values, text), detail: text('mailAccessEndsDay', about) }] },
      paragraph(text('mailAccessEndsWhatToDo')),
      { kind: 'button', label: text('mailOpenPortal'), link: portal.baseUrl },
    ],
  }
}

/** Mail programs truncate mails over 100 KB. */
const most = 40

/** A single person is one click away from the button that extends; several are in a list with it. */
export const accessEndsOfOthers: Template<AccessEndsOfOthers> = (values, { text, greeting, day, portal }) => {
  const { firstName, organizationName, page, people } = values
  const shown = people.length > most ? people.slice(0, most - 1) : people
  const left = people.length - shown.length
  const only = people.length === 1 ? people[0] : undefined
  return {
    subject: text('mailAccessEndsOfOthersSubject', { organizationName }),
    preview: shown.map(({ name, email }) => name ?? email).join(', '),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailAccessEndsOfOthers', { organizationName })),
      {
        kind: 'list',
        items: shown.map((one) => ({
          title: one.name ? `${one.name} (${one.email})` : one.email,
          detail: `${whatEnds(one, text)}: ${text('mailAccessEndsDay', { day: day(one.endsOn) })}`,
        })),
        more: left > 0 ? text('mailMoreUsers', { number: left }) : undefined,
      },
      {
        kind: 'button',
        label: text('mailAccessEndsExtend'),
        link: `${portal.baseUrl}/${page}${only ? `/${only.accountId}` : ''}?status=accessEnds`,
      },
    ],
  }
}
