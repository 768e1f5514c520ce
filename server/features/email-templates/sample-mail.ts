import type { EmailTemplateType } from '#contract/email-templates/email-templates.ts'
import { fallbackLanguage, type Language } from '#contract/roles.ts'
import { mailPortal } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { findReader } from './editor-names.repository.ts'
import { sampleValues } from './sample-values.ts'

export interface SampleContext {
  db: Db
  params: { type: EmailTemplateType }
  actor: { accountId: string }
  config: System['config']
  now: Date
}

/** The template with sample values, addressed to the actor; in the actor's language unless one is named. */
export async function sampleMail({ db, params, actor, config, now }: SampleContext, named: Language | undefined) {
  const reader = found(await findReader(db, actor.accountId))
  const language = named ?? reader.preferredLanguage ?? fallbackLanguage
  const portal = mailPortal(config)
  const values = sampleValues({ language, portal, firstName: reader.firstName, email: reader.email, now })
  return { mail: { template: params.type, language, values: values[params.type], portal }, address: reader.email }
}
