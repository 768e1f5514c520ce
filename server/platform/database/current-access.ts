import { type RawBuilder, sql } from 'kysely'

// The views have the columns of their tables, and PostgreSQL does not say that these are never null in them.
/** Who belongs to which organisation today, with today's role: `memberships` as `m`. Whatever gives access reads this. */
export const currentMemberships = 'currentMemberships as m' as 'memberships as m'
/** Who has which service today, likewise: `service_assignments` as `a`. */
export const currentAssignments = 'currentAssignments as a' as 'serviceAssignments as a'

const day = (column: string) => sql<string | null>`${sql.ref(column)}::text`

/** First and last day, as texts. */
export const periodOf = <Table extends string>(table: Table) =>
  [day(`${table}.validFrom`).as('validFrom'), day(`${table}.validUntil`).as('validUntil')] as const
/** Those of the admin role of a membership `m`. */
export const rolePeriod = [day('m.roleFrom').as('roleFrom'), day('m.roleUntil').as('roleUntil')] as const

/** The columns of the days that are given, from their texts. */
export const dayColumns = <Day extends string>(days: { [name in Day]?: string | null | undefined }) =>
  Object.fromEntries(
    Object.entries(days).flatMap(([name, day]) =>
      day === undefined ? [] : [[name, sql<Date | null>`${day as string | null}::date`]],
    ),
  ) as { [name in Day]?: RawBuilder<Date | null> }

/** The day that counts for access, in Sweden. */
export const accessDay = sql<string>`access_day()::text`
