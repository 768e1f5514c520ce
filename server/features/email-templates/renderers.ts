import type { Config } from '#server/config.ts'
import type { Renderers } from '#server/platform/deliver-message.ts'
import { mailPortal, render, type TemplateName, type TemplateValues, templateNames } from './email-templates.ts'
import { renderSms, type SmsTemplateName, type SmsValues, smsTemplateNames } from './sms-texts.ts'

/** What the outbox writes its messages with. Values are what a room queued: `mailMessage` and `smsMessage` checked them. */
export function createRenderers(config: Config): Renderers {
  const portal = mailPortal(config)
  return {
    mail: (template, language, values) =>
      render({
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

// A message that another version of the portal queued may name what this one does not have.
function known<Name extends string>(names: readonly Name[], name: string): Name {
  const found = names.find((candidate) => candidate === name)
  if (found === undefined) throw new Error('there is no such template')
  return found
}
