import { emailTemplates } from '#contract/email-templates/email-templates.ts'
import { templateEditor } from '#contract/email-templates/template-editor.ts'
import type { Language } from '#contract/roles.ts'
import { listPublished } from '#server/mails/chosen-texts.repository.ts'
import { isUsable } from '#server/mails/custom-text.ts'
import { mailMessage, renderMail } from '#server/mails/mails.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { allowMailPreview } from '#server/platform/http/security-headers.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { type SampleContext, sampleMail } from './sample-mail.ts'
import { templateEditorHandlers } from './template-editor.handlers.ts'

export const emailTemplatesHandlers: Handlers<typeof emailTemplates> = {
  preview: async (context) => {
    allowMailPreview(context.http.reply)
    return renderMail(await sentMail(context, context.query)).html
  },
  readText: async (context) => {
    const { subject, text } = renderMail(await sentMail(context, context.query))
    return { subject, text }
  },
  sendTest: async (context) => {
    const { actor, input, outbox } = context
    const { mail, address } = await sampleMail(context, input.language)
    const { organizationId = null } = input
    await withAttemptLimit(context, [{ name: 'invitation', key: actor.accountId }], () =>
      // Without the account: a password reset withdraws the unsent reset mails of its account.
      context.transact((trx) => outbox.mail(trx, mailMessage({ ...mail, organizationId, to: { address } }))),
    )
    return undefined
  },
}

/** The sample mail with the text that people of an organisation get. */
async function sentMail(
  context: SampleContext,
  { language, organizationId = null }: { language?: Language | undefined; organizationId?: string | null | undefined },
) {
  const { mail } = await sampleMail(context, language)
  const type = mail.template
  const texts = await listPublished(context.db, { ...mail, type, channel: 'mail', organizationId })
  return { ...mail, text: texts.find((text) => isUsable(type, 'mail', text)) }
}

export const createCallGroups: CreateCallGroups = () => [
  callGroup(emailTemplates, emailTemplatesHandlers),
  callGroup(templateEditor, templateEditorHandlers),
]
