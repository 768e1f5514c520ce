import type { emailTemplates } from '#contract/email-templates.ts'
import { fallbackLanguage } from '#contract/roles.ts'
import { found } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { showAsMail } from '#server/platform/security-headers.ts'
import { mailPortal, render } from './email-templates.ts'
import { sampleValues } from './sample-values.ts'

export const emailTemplatesHandlers: Handlers<typeof emailTemplates> = {
  preview: async ({ db, params, query, actor, config, now, http }) => {
    const reader = found(
      await db
        .selectFrom('users')
        .select(['firstName', 'email', 'preferredLanguage'])
        .where('accountId', '=', actor.accountId)
        .executeTakeFirst(),
    )
    const language = query.language ?? reader.preferredLanguage ?? fallbackLanguage
    const portal = mailPortal(config)
    const values = sampleValues({ language, portal, firstName: reader.firstName, email: reader.email, now })
    showAsMail(http.reply)
    return render({ template: params.type, language, values: values[params.type], portal }).html
  },
}
