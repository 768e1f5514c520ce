import { knownBrowser } from '#server/credentials/known-browser.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import type { Person } from '#server/credentials/people.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { deviceName } from '#server/platform/http/user-agent.ts'

type Context = Pick<RequestContext, 'config' | 'keys' | 'http' | 'now' | 'outbox'>

/**
 * Whether the owner of the address is to know of this browser. The first one of an account is where its mailed invitation was
 * accepted. Where nobody has proven the address, as by a link that an admin can read, the owner may know of no account.
 */
export const isNewBrowser = ({ config, keys, http }: Context, { email, hasBeenHere, addressProven }: Person): boolean =>
  config.newBrowserMail &&
  (hasBeenHere || !addressProven) &&
  knownBrowser(http.request, { config, keys }, email) === undefined

/** Tells the owner of an account that somebody signed in from a browser that the account has not used. */
export async function mailAboutNewBrowser(
  context: Context,
  db: Db,
  { accountId, email, firstName, preferredLanguage }: Person,
): Promise<void> {
  const { http, now, outbox } = context
  await outbox.mail(
    db,
    mailMessage({
      template: 'new-browser',
      to: { address: email, accountId },
      language: preferredLanguage ?? detectLanguage(http.request),
      values: {
        firstName,
        at: now.toISOString(),
        browser: deviceName(http.request.headers['user-agent']),
        link: await notMeLink(context, db, accountId),
      },
    }),
  )
}
