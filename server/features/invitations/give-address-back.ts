import { type Ending, endUser } from '#server/accounts/end-user.ts'
import { inviteAgain } from './invite-again.ts'

interface TakenBack {
  /** The account that somebody else may have used; the caller has locked it. */
  accountId: string
  email: string
  /** The id of the account that takes the address over. The caller creates it afterwards. */
  successorId: string
  /** The organisation whose invitation the owner has accepted. */
  joining: string | null
  now: Date
}

/**
 * Ends an account whose address its user never proved, because the owner of the mailbox came: a new account with a new id
 * takes the address, and nothing of the old one reaches it (product-rules 11.2, security 46).
 */
export async function giveAddressBack(
  ending: Ending,
  { accountId, email, successorId, joining, now }: TakenBack,
): Promise<void> {
  const successor = { id: successorId, label: email }
  await inviteAgain(ending.db, ending.audit, { accountId, actor: successor, except: joining, now })
  await endUser(ending, accountId, successor)
}
