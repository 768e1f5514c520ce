import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { companyList, numberList } from '#server/platform/database/method-lists.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'

/**
 * Whether keys of its own count for an account (decision 0067). Not for one that signs in at a company: its key would outlive
 * the account there. Not for one with BankID while an organisation of the person demands BankID. Not for one whose address
 * nobody has proven: who opened it by a shown link would keep a key to it after its owner has come.
 */
export async function mayUsePasskeys(db: Db, accountId: string): Promise<boolean> {
  const statement = sql<{ may: boolean }>`
    select email_proof is not null and case
        when login_method in (${companyList}) then false
        when login_method in (${numberList}) then not exists (
          select from current_memberships m join organizations o using (organization_id)
          where m.account_id = u.account_id and o.login_method in (${numberList}))
        else true
      end as may
    from users u where account_id = ${accountId}::uuid`
  return (await executePrepared(db, statement)).rows[0]?.may ?? false
}
