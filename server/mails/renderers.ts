import type { FastifyBaseLogger } from 'fastify'
import type { TemplateChannel, TemplateText } from '#contract/email-templates/template-texts.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { MessageToRender, Renderers } from '#server/platform/messages/deliver-message.ts'
import { findOnlyOrganization, findSenderAndBrand, listPublished } from './chosen-texts.repository.ts'
import { isEditable, mailPortal, renderMail, type TemplateName, type TemplateValues, templateNames } from './mails.ts'
import { renderSms, type SmsTemplateName, type SmsValues, smsTemplateNames } from './sms-texts.ts'

interface RendererOptions {
  config: Config
  db: Db
  log: Pick<FastifyBaseLogger, 'error'>
}

/** The renderers of the outbox. `mailMessage` and `smsMessage` have checked the values when they were queued. */
export function createRenderers({ config, db, log }: RendererOptions): Renderers {
  const portal = mailPortal(config)

  /** A broken text, or one that cannot be read, never stops a message: the next one is sent, at last the built-in one. */
  async function withChosenText<Result>(
    channel: TemplateChannel,
    message: MessageToRender & { template: string },
    render: (text: TemplateText | undefined) => Result,
  ): Promise<Result> {
    const { template: type, language, organizationId } = message
    if (!isEditable(type)) return render(undefined)
    const place = { type, channel, language, organizationId }
    for (const text of (await orNothing(listPublished(db, place))) ?? [])
      try {
        return render(text as TemplateText)
      } catch (error) {
        log.error({ err: error, ...place }, 'a message template is broken and was not used')
      }
    return render(undefined)
  }
  /** What an organisation has chosen is left out rather than stop a message. */
  const orNothing = <Result>(reading: Promise<Result>): Promise<Result | undefined> =>
    reading.catch((error: unknown) => {
      log.error({ err: error }, 'the text or sender of a message could not be read')
      return undefined
    })

  /** Adds the organisation that a mail about an account belongs to: its only one. */
  async function placed(message: MessageToRender): Promise<MessageToRender> {
    const { template, accountId, organizationId } = message
    if (organizationId || !accountId || !isEditable(template)) return message
    return { ...message, organizationId: (await orNothing(findOnlyOrganization(db, accountId))) ?? null }
  }

  return {
    async mail(queued) {
      const message = await placed(queued)
      const { language, values, organizationId } = message
      const template = known(templateNames, message.template)
      const about = organizationId ? await orNothing(findSenderAndBrand(db, organizationId)) : undefined
      const mail = await withChosenText('mail', message, (text) =>
        renderMail({
          template,
          language,
          values: values as TemplateValues[TemplateName],
          portal,
          text,
          brand: about?.brand,
        }),
      )
      return { ...mail, sender: about?.sender }
    },
    async sms(queued) {
      const message = await placed(queued)
      const { language, values } = message
      const template = known(smsTemplateNames, message.template)
      return withChosenText('sms', message, (text) =>
        renderSms({ template, language, values: values as unknown as SmsValues[SmsTemplateName], portal, text }),
      )
    },
  }
}

// Another version of the portal may have queued a message with a template that this version does not have.
function known<Name extends string>(names: readonly Name[], name: string): Name {
  const found = names.find((candidate) => candidate === name)
  if (found === undefined) throw new Error('unknown template')
  return found
}
