import type { EmailTemplateType } from '#contract/email-templates.ts'
import { emailTemplates } from '#contract/email-templates.ts'
import { fallbackLanguage, type Language } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { allowMailPreview } from '#server/platform/http/security-headers.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { mailMessage, mailPortal, renderMail } from './email-templates.ts'
import { sampleValues } from './sample-values.ts'

export const emailTemplatesHandlers: Handlers<typeof emailTemplates> = {
  preview: async (context) => {
    allowMailPreview(context.http.reply)
    return renderMail((await sampleMail(context, context.query.language)).mail).html
  },
  readText: async (context) => {
    const { subject, text } = renderMail((await sampleMail(context, context.query.language)).mail)
    return { subject, text }
  },
  sendTest: async (context) => {
    const { actor, input, outbox } = context
    const { mail, address } = await sampleMail(context, input.language)
    await withAttemptLimit(context, [{ name: 'invitation', key: actor.accountId }], () =>
      // Without the account: a password reset withdraws the unsent reset mails of its account.
      context.transact((trx) => outbox.mail(trx, mailMessage({ ...mail, to: { address } }))),
    )
    return undefined
  },
}

interface Sample {
  db: Db
  params: { type: EmailTemplateType }
  actor: { accountId: string }
  config: System['config']
  now: Date
}

/** The template with sample values, addressed to the actor; in the actor's language unless one is named. */
async function sampleMail({ db, params, actor, config, now }: Sample, named: Language | undefined) {
  const reader = found(
    await db
      .selectFrom('users')
      .select(['firstName', 'email', 'preferredLanguage'])
      .where('accountId', '=', actor.accountId)
      .executeTakeFirst(),
  )
  const language = named ?? reader.preferredLanguage ?? fallbackLanguage
  const portal = mailPortal(config)
  const values = sampleValues({ language, portal, firstName: reader.firstName, email: reader.email, now })
  return { mail: { template: params.type, language, values: values[params.type], portal }, address: reader.email }
}

export const createCallGroups: CreateCallGroups = () => [callGroup(emailTemplates, emailTemplatesHandlers)]
