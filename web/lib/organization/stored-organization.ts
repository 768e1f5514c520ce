import type { OwnMembership } from '#contract/session/session.ts'

// The first is the current key; the second is an older one, which is read once and replaced.
export const organizationKey = 'currentOrganizationId'
const olderKey = 'currentOrganization'
const cleared = 'organizationCleared'

/** The chosen organisation of this browser, if one was ever chosen. */
export function storedOrganization(): string | null {
  return withStorage(() => {
    const older = localStorage.getItem(olderKey)
    if (older !== null) {
      localStorage.removeItem(olderKey)
      const id = plainId(older)
      if (id && localStorage.getItem(organizationKey) === null) localStorage.setItem(organizationKey, id)
    }
    return localStorage.getItem(organizationKey)
  })
}

export const writeOrganization = (organizationId: string) =>
  withStorage(() => localStorage.setItem(organizationKey, organizationId))

/** The chosen organisation where it is still the person's, else the first. */
export const currentMembership = (organizations: readonly OwnMembership[], stored: string | null) =>
  organizations.find((own) => own.organizationId === stored) ?? organizations[0]

/** On the first visit without a session in a browser session the choice is forgotten: another person may sit here. */
export function forgetOrganizationOnce(): void {
  withStorage(() => {
    if (sessionStorage.getItem(cleared)) return
    sessionStorage.setItem(cleared, '1')
    localStorage.removeItem(organizationKey)
    localStorage.removeItem(olderKey)
  })
}

// The older value was an id, or an organisation as JSON.
function plainId(older: string): string | undefined {
  try {
    const value: unknown = JSON.parse(older)
    if (typeof value === 'string') return value
    if (value && typeof value === 'object' && 'organizationId' in value) return String(value.organizationId)
    return undefined
  } catch {
    return older
  }
}

// Storage can be forbidden altogether; then the choice lasts as long as the page.
function withStorage<Result>(use: () => Result): Result | null {
  try {
    return use()
  } catch {
    return null
  }
}
