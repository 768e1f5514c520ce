import { sql } from 'kysely'
import { type DayFigures, type FiguresBefore, figureDays, type Seats } from '#contract/home/home.ts'
import { allMethods, type SignInKind, signInKinds } from '#contract/sign-in-methods.ts'
import type { Db } from '#server/platform/database/database.ts'

/** An organisation's id, or undefined for the whole portal. */
export type Scope = string | undefined

const kinds = new Map<string | null, SignInKind>(allMethods.map(([, { signIn }]) => [signIn.name, signIn.kind]))
const none = Object.fromEntries(Object.keys(signInKinds).map((kind) => [kind, 0])) as Record<SignInKind, number>

interface Row {
  date: string
  figure: 'signIn' | 'failedSignIn' | 'activePerson' | 'acceptedInvitation' | null
  method: string | null
  count: number | null
}

/** The figures of the last days, the oldest first; the sealer keeps them (decision 0032). */
export async function listDays(db: Db, scope: Scope, now: Date): Promise<DayFigures[]> {
  const today = sql`(${now}::timestamptz at time zone 'Europe/Stockholm')::date`
  const { rows } = await sql<Row>`
    select days.day::text as date, figure, method, count
    from generate_series(0, ${figureDays - 1}::integer) as ago,
      lateral (select ${today} - ago as day) as days
      left join daily_figures f on f.day = days.day
        and ${scope === undefined ? sql`f.organization_id is null` : sql`f.organization_id = ${scope}::uuid`}
    order by days.day`.execute(db)
  const days = new Map<string, DayFigures>()
  for (const { date, figure, method, count } of rows) {
    const day = days.get(date) ?? noFigures(date)
    days.set(date, day)
    const value = count ?? 0
    if (figure === 'signIn') day.signIns[kinds.get(method) ?? 'password'] += value
    if (figure === 'failedSignIn') day.failedSignIns = value
    if (figure === 'activePerson') day.activePeople = value
    if (figure === 'acceptedInvitation') day.acceptedInvitations = value
  }
  return [...days.values()]
}

/** The figures of the 30 days before those of `listDays`; null where nothing was counted then. */
export async function readFiguresBefore(db: Db, scope: Scope, now: Date): Promise<FiguresBefore | null> {
  const today = sql`(${now}::timestamptz at time zone 'Europe/Stockholm')::date`
  const { rows } = await sql<FiguresBefore & { counted: number }>`
    select count(*) as counted, ${total('signIn')} as "signIns", ${total('failedSignIn')} as "failedSignIns",
      coalesce(max(count) filter (where figure = 'activePerson'), 0) as "activePeople",
      ${total('acceptedInvitation')} as "acceptedInvitations"
    from daily_figures
    where day <= ${today} - ${figureDays}::integer and day > ${today} - ${2 * figureDays}::integer
      and ${scope === undefined ? sql`organization_id is null` : sql`organization_id = ${scope}::uuid`}`.execute(db)
  const { counted = 0, ...before } = rows[0] ?? {}
  return counted > 0 ? (before as FiguresBefore) : null
}

const total = (figure: 'signIn' | 'failedSignIn' | 'acceptedInvitation') =>
  sql`coalesce(sum(count) filter (where figure = ${figure}), 0)::integer`

const noFigures = (date: string): DayFigures => ({
  date,
  signIns: { ...none },
  failedSignIns: 0,
  activePeople: 0,
  acceptedInvitations: 0,
})

const shownServices = 8

/** The services that most people have, with the seats of the organisation or of all together. */
export async function listSeats(db: Db, scope: Scope): Promise<Seats[]> {
  const { rows } = await sql<Seats>`
    select service_id as "serviceId", s.name, sum(seats_used)::integer as "seatsUsed",
      case when bool_and(max_number_of_users is not null) then sum(max_number_of_users)::integer end
        as "maxNumberOfUsers"
    from organization_services join services s using (service_id)
    ${scope === undefined ? sql`` : sql`where organization_id = ${scope}::uuid`}
    group by service_id, s.name
    order by sum(seats_used) desc, s.name, service_id limit ${shownServices}`.execute(db)
  return rows
}
