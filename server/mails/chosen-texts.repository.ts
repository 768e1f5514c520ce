import { type EmailTemplateType, emailTemplateTypes } from '#contract/email-templates/email-templates.ts'
import type { TemplateChannel } from '#contract/email-templates/template-texts.ts'
import type { Language } from '#contract/roles.ts'
import { currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isUsable } from './custom-text.ts'

/** Where a text applies. Without an organisation: for all that have none of their own. */
export interface Place {
  type: EmailTemplateType
  channel: TemplateChannel
  language: Language
  organizationId: string | null
}

/** The only organisation of an account; null for accounts of several or none, and for those who operate the portal. */
export async function findOnlyOrganization(db: Db, accountId: string): Promise<string | null> {
  const rows = await db
    .selectFrom(currentMemberships)
    .innerJoin('users', 'users.accountId', 'm.accountId')
    .select('organizationId')
    .where('m.accountId', '=', accountId)
    .where('operates', '=', false)
    .limit(2)
    .execute()
  return rows.length === 1 ? (rows[0]?.organizationId ?? null) : null
}

/** The sender of an organisation's mails, and what they show of it. */
export async function findSenderAndBrand(db: Db, organizationId: string) {
  const found = await db
    .selectFrom('organizations as o')
    .leftJoin('organizationBrands as b', 'b.organizationId', 'o.organizationId')
    .select(['o.senderName', 'o.replyTo', 'o.name', 'b.hue', 'b.logo'])
    .where('o.organizationId', '=', organizationId)
    .executeTakeFirst()
  if (!found) return undefined
  const { senderName, replyTo, ...brand } = found
  return { sender: { name: senderName, replyTo }, brand }
}

/** The published texts that apply at a place, the organisation's own first. */
export async function listPublished(db: Db, { type, channel, language, organizationId }: Place): Promise<unknown[]> {
  const rows = await db
    .selectFrom('messageTemplates')
    .select(['organizationId', 'published'])
    .where('type', '=', type)
    .where('channel', '=', channel)
    .where('language', '=', language)
    .where((row) => row.or([row('organizationId', 'is', null), row('organizationId', '=', organizationId)]))
    .where('published', 'is not', null)
    .execute()
  return rows.sort((one) => (one.organizationId === null ? 1 : -1)).map(({ published }) => published)
}

/** Published texts that cannot be sent; the built-in ones are sent instead. */
export async function listBrokenTexts(db: Db) {
  const rows = await db
    .selectFrom('messageTemplates as t')
    .leftJoin('organizations as o', 'o.organizationId', 't.organizationId')
    .select(['t.type', 't.channel', 't.language', 't.organizationId', 'o.name as organizationName', 't.published'])
    .where('t.published', 'is not', null)
    .orderBy('t.type')
    .orderBy('t.language')
    .execute()
  return rows.flatMap(({ type: name, published, ...place }) => {
    // A later version of the portal may have templates that this one does not send.
    const type = emailTemplateTypes.find((one) => one === name)
    return !type || isUsable(type, place.channel, published) ? [] : [{ ...place, type }]
  })
}
