import type { EditedTemplate, TemplatePlace, templateEditor } from '#contract/email-templates/template-editor.ts'
import { placeholdersOf, type TemplateText, textProblems } from '#contract/email-templates/template-texts.ts'
import { hasText } from '#server/mails/built-in-text.ts'
import { listPublished, type Place } from '#server/mails/chosen-texts.repository.ts'
import { isUsable } from '#server/mails/custom-text.ts'
import { builtInText, renderMail } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion, isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { allowMailPreview } from '#server/platform/http/security-headers.ts'
import { found, Problem } from '#server/platform/problem.ts'
import {
  findTemplate,
  insertVersion,
  listVersions,
  lockTemplate,
  type StoredTemplate,
  setTexts,
} from './edited-templates.repository.ts'
import { findOrganization, findReader } from './editor-names.repository.ts'
import { sampleMail } from './sample-mail.ts'

export const templateEditorHandlers: Handlers<typeof templateEditor> = {
  read: async ({ db, params, query }) => {
    const place = { ...params, ...query, organizationId: query.organizationId ?? null }
    await findPlaceName(db, place)
    return read(db, place)
  },
  saveDraft: async ({ db, params, input, audit }) => {
    const { version, language, channel, organizationId, ...text } = input
    const place = { ...params, language, channel, organizationId }
    const name = await findPlaceName(db, place)
    refuseProblems(place, text)
    const before = await lockTemplate(db, place)
    checkVersion(before, version)
    const applies = before.published ?? (await inherited(db, place))
    const draft = isUnchanged(applies, text) ? null : text
    if (isSame(before.draft, draft)) return read(db, place)
    await setTexts(db, before.templateId, { draft })
    audit(changed(before, name, { ...(before.draft ?? applies), state: 'published' }, { ...text, state: 'draft' }))
    return read(db, place)
  },
  publish: async ({ db, params, input, audit, actor, now }) => {
    const { version, inherited: back = false, ...rest } = input
    const place = { ...params, ...rest }
    const name = await findPlaceName(db, place)
    const before = await lockTemplate(db, place)
    checkVersion(before, version)
    const text = back ? null : before.draft
    if (back ? before.published === null && before.draft === null : text === null) return read(db, place)
    // A draft of an earlier version of the portal may lack what this one requires.
    if (text) refuseProblems(place, text)
    await setTexts(db, before.templateId, { draft: null, published: text })
    if (!isSame(before.published, text))
      await insertVersion(db, {
        templateId: before.templateId,
        text,
        publishedAt: now,
        publishedBy: await nameOf(db, actor.accountId),
      })
    const applies = await inherited(db, place)
    const previous = { ...(before.published ?? applies), state: before.published ? 'published' : 'inherited' }
    audit(changed(before, name, previous, { ...(text ?? applies), state: text ? 'published' : 'inherited' }))
    return read(db, place)
  },
  tryText: async (context) => {
    const { language, ...typed } = context.input
    // Browsers send line breaks of forms as CR LF.
    const text = { ...typed, body: typed.body.replaceAll('\r\n', '\n') }
    refuseProblems({ ...context.params, channel: 'mail' }, text)
    allowMailPreview(context.http.reply)
    const { mail } = await sampleMail(context, language)
    return renderMail({ ...mail, text }).html
  },
}

async function read(db: Db, place: Place): Promise<EditedTemplate> {
  const stored = await findTemplate(db, place)
  const versions = stored ? await listVersions(db, stored.templateId) : []
  return {
    inherited: await inherited(db, place),
    published: stored?.published ?? null,
    draft: stored?.draft ?? null,
    versions: versions.map((one) => ({ ...one, publishedAt: one.publishedAt.toISOString() })),
    version: stored?.version ?? 0,
  }
}

/** What applies where nothing is published at the place itself. */
async function inherited(db: Db, place: Place): Promise<TemplateText> {
  const { type, channel, language, organizationId } = place
  const [general] = organizationId ? await listPublished(db, { ...place, organizationId: null }) : []
  return isUsable(type, channel, general) ? general : builtInText(type, channel, language)
}

/** @throws Problem 404 for an organisation that does not exist, and for a text message that is never sent */
async function findPlaceName(db: Db, { type, channel, language, organizationId }: TemplatePlace): Promise<string> {
  found(hasText(type, channel) || undefined)
  const names = [type, channel === 'sms' && 'SMS', language]
  if (organizationId !== null) names.push(found(await findOrganization(db, organizationId)).name)
  return names.filter(Boolean).join(', ')
}

const nameOf = async (db: Db, accountId: string) => found(await findReader(db, accountId)).email

function refuseProblems({ type, channel }: Pick<TemplatePlace, 'type' | 'channel'>, text: TemplateText): void {
  const issues = textProblems(placeholdersOf(type, channel), text)
  if (channel === 'mail' && text.subject === '') issues.unshift({ path: 'subject', message: 'required' })
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
}

const isSame = (one: TemplateText | null, other: TemplateText | null) =>
  one === null || other === null ? one === other : isUnchanged(one, other)

/** Without organisation ids: the admins of a customer do not see how the operator writes. */
const changed = ({ templateId }: StoredTemplate, label: string, before: object, after: object) => ({
  name: 'updateEmailTemplate' as const,
  target: { id: templateId, label },
  before: { ...before },
  after: { ...after },
})
