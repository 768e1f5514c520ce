import { type RawBuilder, sql } from 'kysely'
import { ownProofs } from '#server/platform/database/method-lists.ts'

/**
 * The column for an update by which somebody else changes a number that counted, which takes a factor off: the mailbox alone must
 * not be what is left (decision 0097). Goes into each update that sets `phoneClaim` or `ssnClaim` to `admin`.
 *
 * @param numbers the new ones; undefined: stays
 */
export function takingNumber({
  phoneNumber,
  ssnIndex,
}: {
  phoneNumber?: string | null | undefined
  ssnIndex?: Buffer | null | undefined
}): { mailRefused: RawBuilder<string | null> } {
  const taken = [
    ...(phoneNumber === undefined
      ? []
      : [sql`phone_claim is null and phone_number is not null and phone_number is distinct from ${phoneNumber}::text`]),
    ...(ssnIndex === undefined
      ? []
      : [sql`ssn_claim is null and ssn_proof in (${ownProofs}) and ssn_index is distinct from ${ssnIndex}::bytea`]),
  ]
  return {
    mailRefused: sql`case when ${sql.join([sql`false`, ...taken], sql` or `)} then coalesce(mail_refused, 'taken') else mail_refused end`,
  }
}
