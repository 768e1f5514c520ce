import type { Period, RolePeriod } from '#contract/fields/period.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'

/** A membership or a service assignment. */
export interface Roled extends Period, RolePeriod {
  organizationId: string
  serviceId?: string
  userRole: string
}

const days = ['validFrom', 'validUntil', 'roleFrom', 'roleUntil'] as const

/** Whether role and days stay as they are. A day that is left out does. */
export const sameTerms = (before: Omit<Roled, 'organizationId'>, wanted: Omit<Roled, 'organizationId'>): boolean =>
  before.userRole === wanted.userRole &&
  days.every((name) => wanted[name] === undefined || (wanted[name] ?? null) === (before[name] ?? null))

/** The columns of the days that are given. A regular member has no role that could end. */
export const termsColumns = ({
  userRole,
  validFrom,
  validUntil,
  ...role
}: Pick<Roled, 'userRole'> & Period & RolePeriod) =>
  dayColumns({
    ...{ validFrom, validUntil },
    ...(userRole === 'regular'
      ? { roleFrom: null, roleUntil: null }
      : { roleFrom: role.roleFrom, roleUntil: role.roleUntil }),
  })
/** Those of a service. */
export const periodColumns = ({ validFrom, validUntil }: Period) => dayColumns({ validFrom, validUntil })
