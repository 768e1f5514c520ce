import type { Config } from '#server/config.ts'
import type { Renderers } from '#server/platform/messages/deliver-message.ts'
import { mailPortal, renderMail, type TemplateName, type TemplateValues, templateNames } from './email-templates.ts'
import { renderSms, type SmsTemplateName, type SmsValues, smsTemplateNames } from './sms-texts.ts'

/** The renderers of the outbox. `mailMessage` and `smsMessage` have checked the values when they were queued. */
export function createRenderers(config: Config): Renderers {
  const portal = mailPortal(config)
  return {
    mail: (template, language, values) =>
      renderMail({
        template: known(templateNames, template),
        language,
        values: values as TemplateValues[TemplateName],
        portal,
      }),
    sms: (template, language, values) =>
      renderSms({
        template: known(smsTemplateNames, template),
        language,
        values: values as unknown as SmsValues[SmsTemplateName],
        portal,
      }),
  }
}

// Another version of the portal may have queued a message with a template that this version does not have.
function known<Name extends string>(names: readonly Name[], name: string): Name {
  const found = names.find((candidate) => candidate === name)
  if (found === undefined) throw new Error('unknown template')
  return found
}
