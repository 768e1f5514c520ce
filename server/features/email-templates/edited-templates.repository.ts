import { sql } from 'kysely'
import type { TemplateText } from '#contract/email-templates/template-texts.ts'
import type { Place } from '#server/mails/chosen-texts.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

export interface StoredTemplate {
  templateId: string
  draft: TemplateText | null
  published: TemplateText | null
  version: number
}

const at = (db: Db, { type, channel, language, organizationId }: Place) =>
  db
    .selectFrom('messageTemplates')
    .select(['templateId', 'version'])
    .select([sql<TemplateText | null>`draft`.as('draft'), sql<TemplateText | null>`published`.as('published')])
    .where('type', '=', type)
    .where('channel', '=', channel)
    .where('language', '=', language)
    .where('organizationId', 'is not distinct from', organizationId)

export const findTemplate = (db: Db, place: Place): Promise<StoredTemplate | undefined> =>
  at(db, place).executeTakeFirst()

/** Finds and locks the template of a place, which is made if nothing was ever saved there. */
export async function lockTemplate(db: Db, { type, channel, language, organizationId }: Place) {
  await db
    .insertInto('messageTemplates')
    .values({ templateId: newId(), type, channel, language, organizationId, version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return at(db, { type, channel, language, organizationId }).forUpdate().executeTakeFirstOrThrow()
}

const json = (text: TemplateText | null) => (text === null ? null : JSON.stringify(text))

export const setTexts = (db: Db, templateId: string, texts: Partial<Pick<StoredTemplate, 'draft' | 'published'>>) =>
  db
    .updateTable('messageTemplates')
    .set({
      ...(texts.draft !== undefined && { draft: json(texts.draft) }),
      ...(texts.published !== undefined && { published: json(texts.published) }),
      version: sql`version + 1`,
    })
    .where('templateId', '=', templateId)
    .execute()

interface Published {
  templateId: string
  text: TemplateText | null
  publishedAt: Date
  publishedBy: string
}

/** Adds a version. The caller has locked the template. */
export const insertVersion = (db: Db, { text, templateId, ...published }: Published) =>
  db
    .insertInto('messageTemplateVersions')
    .values({
      ...published,
      templateId,
      text: json(text),
      number: sql`(select coalesce(max(number), 0) + 1 from message_template_versions where template_id = ${templateId})`,
    })
    .execute()

const shownVersions = 50

export const listVersions = (db: Db, templateId: string) =>
  db
    .selectFrom('messageTemplateVersions')
    .select(['number', 'publishedAt', 'publishedBy', sql<TemplateText | null>`text`.as('text')])
    .where('templateId', '=', templateId)
    .orderBy('number', 'desc')
    .limit(shownVersions)
    .execute()
