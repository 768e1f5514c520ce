import pg from 'pg'
import type { Ledger } from './writers.ts'

/**
 * Compares the database with what was acknowledged, and every change with its event and its mail.
 *
 * @returns a line for everything that is lost or half
 */
export async function findLosses(ownerUrl: string, { signIns, edits, invited }: Ledger): Promise<string[]> {
  const database = new pg.Client({ connectionString: ownerUrl })
  await database.connect()
  const column = async (text: string, values: unknown[] = []) =>
    (await database.query<{ value: string }>(text, values)).rows.map(({ value }) => value)
  const losses: string[] = []
  const report = (what: string, which: readonly string[]) => losses.push(...which.map((one) => `${what}: ${one}`))
  try {
    for (const [email, count] of signIns) {
      const [written] = await column(
        "select count(*) as value from audit_events where name = 'loginSuccess' and $1 in (actor, target)",
        [email],
      )
      if (Number(written) < count) losses.push(`sign-ins of ${email}: ${count} acknowledged, ${written} events`)
    }
    for (const [serviceId, descriptions] of edits) {
      const events = await column(
        `select one ->> 'newValue' as value from audit_events, jsonb_array_elements(changes::jsonb) as one
          where name = 'updateService' and target_id = $1 and one ->> 'property' = 'description'
          order by created_at, id`,
        [serviceId],
      )
      report(
        'an edit without its event',
        descriptions.filter((one) => !events.includes(one)),
      )
      report(
        'an edit with several events',
        events.filter((one, index) => events.indexOf(one) !== index),
      )
      const [present] = await column('select description as value from services where service_id = $1', [serviceId])
      if (events.length > 0 && present !== events.at(-1))
        losses.push(`the service has ${present}, its last event ${events.at(-1)}`)
    }
    const ours = "like '%@torture.example'"
    const invitations = new Set(await column(`select email as value from invitations where email ${ours}`))
    const events = await column(`select target as value from audit_events where name = 'inviteUser' and target ${ours}`)
    const mails = await column(`select recipient as value from outbox_messages where recipient ${ours}`)
    report(
      'an invitation that was acknowledged is lost',
      invited.filter((email) => !invitations.has(email)),
    )
    for (const [what, list] of Object.entries({ event: events, mail: mails })) {
      const known = new Set(list)
      report(
        `an invitation without its ${what}`,
        [...invitations].filter((email) => !known.has(email)),
      )
      report(
        `an ${what} without its invitation`,
        [...known].filter((email) => !invitations.has(email)),
      )
      report(
        `a second ${what} of one invitation`,
        list.filter((email, index) => list.indexOf(email) !== index),
      )
    }
  } finally {
    await database.end()
  }
  return losses
}
