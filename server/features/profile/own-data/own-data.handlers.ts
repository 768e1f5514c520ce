import { fallbackLanguage } from '#contract/languages.ts'
import type { ownData } from '#contract/profile/own-data.ts'
import type { Language } from '#contract/roles.ts'
import type { TextFile } from '#contract/route.ts'
import { sendJob } from '#server/platform/database/send-job.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import { dataPage } from './data-page.ts'
import { copyCell, expiryOf, ownDataQueue } from './make-copy.ts'
import { findCopy, requestCopy } from './own-data.repository.ts'

/** A copy of everything that the portal holds on the person who asks. */
export const ownDataHandlers: Handlers<typeof ownData> = {
  async read({ db, session, config, now }) {
    const copy = await findCopy(db, session.user.accountId)
    if (!copy) return { copy: null }
    const { requestedAt, readyAt } = copy
    const expiresAt = readyAt && expiryOf(readyAt, config)
    if (expiresAt && expiresAt <= now) return { copy: null }
    return {
      copy: {
        requestedAt: requestedAt.toISOString(),
        readyAt: readyAt?.toISOString() ?? null,
        expiresAt: expiresAt?.toISOString() ?? null,
      },
    }
  },
  async request({ db, session, audit, now }) {
    const { accountId, email } = session.user
    const copyId = newId()
    if (!(await requestCopy(db, { accountId, copyId, now }))) return undefined
    await sendJob(db, ownDataQueue, copyId)
    audit({ name: 'requestOwnData', target: { id: accountId, label: email } })
    return undefined
  },
  json: (context) => download(context, 'json', ({ text }) => text),
  html: (context) => download(context, 'html', ({ text, language }) => dataPage(JSON.parse(text), language)),
}

type Download = RequestContext<(typeof ownData)['json']> | RequestContext<(typeof ownData)['html']>

/** @throws Problem 404 without a copy; 403 below the floor of an organisation, whose services it names */
async function download(
  context: Download,
  extension: string,
  write: (copy: { text: string; language: Language }) => string,
): Promise<TextFile> {
  const { db, keys, config, session, transact, now } = context
  if (session.heldBack.organizations.length > 0) throw new Problem(403, 'strongerSignInRequired')
  const { accountId, email, preferredLanguage } = session.user
  const copy = found(await findCopy(db, accountId))
  const sealed = found(copy.readyAt && expiryOf(copy.readyAt, config) > now ? copy.sealed : undefined)
  const text = (await unseal(keys, copyCell(copy.copyId), sealed)).toString('utf8')
  await transact(async (_, audit) => audit({ name: 'downloadOwnData', target: { id: accountId, label: email } }))
  const language = preferredLanguage ?? fallbackLanguage
  const content = write({ text, language })
  return {
    fileName: `${translate(language, 'dataTitle')}.${extension}`,
    lines: (async function* () {
      yield content
    })(),
  }
}
