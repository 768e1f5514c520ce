import type { UserFilters, userSorts } from '#contract/users/user-filters.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import type { User } from '#contract/users/users.ts'

type Field = keyof User | keyof UserSummary

/**
 * What an admin sees of a person who also belongs to an organisation out of the admin's reach: name, address, status, and what
 * concerns the own organisation (product-rules 11.6). What is false is null in every list, file and detail, and no filter
 * finds the person by it.
 */
export const shownOfShared = {
  accountId: true,
  email: true,
  firstName: true,
  lastName: true,
  ssn: false,
  ssnConfirmed: false,
  phoneNumber: false,
  preferredLanguage: false,
  loginMethod: false,
  samlConfigId: false,
  /** Of everybody, for who works for the operator alone. */
  superUser: true,
  portalRole: true,
  portalRoleFrom: true,
  portalRoleUntil: true,
  pending: true,
  awaitsSignIn: true,
  passive: true,
  emailProven: true,
  /** Told to super users alone. */
  openedFor: true,
  emailRefusedAt: true,
  /** Of what is in reach. */
  endsOn: true,
  lastLogin: false,
  lastActive: false,
  maxPassiveDays: false,
  /** Only those in reach. */
  organizations: true,
  /** Only those in reach. */
  services: true,
  /** Only those in reach. */
  groups: true,
  editable: true,
  /** Of the memberships in reach. */
  version: true,
} as const satisfies Record<Field, boolean>

const hidden = new Set<string>(
  Object.entries(shownOfShared)
    .filter(([, shown]) => !shown)
    .map(([field]) => field),
)

/** The person without what is hidden of a shared one. */
export const ofShared = <Person extends object>(person: Person): Person =>
  Object.fromEntries(
    Object.entries(person).map(([field, value]) => [field, hidden.has(field) ? null : value]),
  ) as Person

/** Which field each filter asks about. */
export const filteredField = {
  status: 'passive',
  loginMethod: 'loginMethod',
  role: 'organizations',
  organizationId: 'organizations',
  serviceId: 'services',
  groupId: 'groups',
  lastActiveBefore: 'lastActive',
} as const satisfies Record<keyof UserFilters, Field>

/** True if these filters ask about something that is hidden of a shared person. */
export const asksForHidden = (filters: UserFilters): boolean =>
  Object.entries(filteredField).some(
    ([filter, field]) => filters[filter as keyof UserFilters] !== undefined && !shownOfShared[field],
  )

type Shown = { [Name in Field]: (typeof shownOfShared)[Name] extends true ? Name : never }[Field]
// Lists are sorted and searched by what is shown of everybody. Does not compile otherwise.
type Sort = (typeof userSorts)[number]
export const sortedFields: readonly Extract<Sort, Shown>[] = ['email', 'firstName', 'lastName'] satisfies Sort[]
