import * as z from 'zod/mini'
import { id, message, text, timestamp, version } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { language } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { emailTemplateType } from './email-templates.ts'
import { placeholdersOf, type TemplateText, templateChannels, textProblems } from './template-texts.ts'

const trimmed = (max: number) => text(max).check(z.trim())
const oneLine = (max: number) => trimmed(max).check(z.regex(/^[^\p{Cc}\u2028\u2029]*$/u, message('invalidText')))
const textFields = {
  subject: oneLine(150),
  body: trimmed(4000).check(z.minLength(1, message('required'))),
  button: oneLine(60),
}

const params = z.strictObject({ type: emailTemplateType })
const place = {
  language,
  channel: z._default(z.optional(z.enum(templateChannels)), 'mail'),
  /** Whose mails it changes; null or left out for all organisations without a text of their own. */
  organizationId: z._default(z.optional(z.nullable(id)), null),
}
export type TemplatePlace = z.infer<typeof params> & z.infer<z.ZodMiniObject<typeof place>>

/** The form of a text. Which placeholders it must have depends on the template: see `textProblems`. */
export const templateForm = ({ type, channel }: Pick<TemplatePlace, 'type' | 'channel'>) =>
  z.strictObject(textFields).check((context) => {
    const problems = textProblems(placeholdersOf(type, channel), context.value)
    if (channel === 'mail' && context.value.subject === '') problems.unshift({ path: 'subject', message: 'required' })
    for (const { path, message: error } of problems)
      context.issues.push({ code: 'custom', path: [path], message: error, input: context.value })
  })

export const templateLabels: FieldLabels<TemplateText> = {
  subject: 'templateSubject',
  body: 'templateBody',
  button: 'templateButton',
}

const storedText = z.object({ subject: z.string(), body: z.string(), button: z.string() })

/** The text of a mail for one language, and for one organisation or for all. */
export const editedTemplate = z.object({
  /** The text that applies where nothing is published here: of all organisations, or the portal's own. */
  inherited: storedText,
  /** Null: the inherited text applies. */
  published: z.nullable(storedText),
  /** Saved, but not sent yet. */
  draft: z.nullable(storedText),
  /** The latest first. Without a text: the inherited one applied from then on. */
  versions: z.array(
    z.object({ number: z.int(), publishedAt: timestamp, publishedBy: z.string(), text: z.nullable(storedText) }),
  ),
  /** 0 where nothing was ever saved. */
  version: z.int(),
})
export type EditedTemplate = z.infer<typeof editedTemplate>

// 0 where nothing was ever saved.
const baseVersion = z.optional(z.union([version, z.literal(0)]))

export const templateEditor = {
  read: route('GET /api/email-templates/{type}/texts', {
    summary: 'The draft, the published text and its versions, for one language and organisation',
    access: 'manageEmailTemplates',
    params,
    query: z.strictObject({ ...place, organizationId: z.optional(id) }),
    answer: editedTemplate,
  }),
  saveDraft: route('PUT /api/email-templates/{type}/texts', {
    summary: 'Saves a draft; nothing is sent with it until it is published. The published text discards it',
    access: 'manageEmailTemplates',
    params,
    input: z.strictObject({ ...place, ...textFields, version: baseVersion }),
    answer: editedTemplate,
    audit: { atMost: ['updateEmailTemplate'] },
  }),
  publish: route('POST /api/email-templates/{type}/texts/publish', {
    summary: 'Publishes the draft; with inherited=true goes back to the text of all organisations, or the built-in one',
    access: 'manageEmailTemplates',
    params,
    input: z.strictObject({ ...place, version: baseVersion, inherited: z.optional(z.boolean()) }),
    answer: editedTemplate,
    audit: { atMost: ['updateEmailTemplate'] },
  }),
  tryText: route('POST /api/email-templates/{type}/preview', {
    summary: 'A text that is being written, with sample values, for a sandboxed frame; saves nothing',
    access: 'manageEmailTemplates',
    params,
    body: 'form',
    input: z.strictObject({ language, ...textFields }),
    answer: 'html',
    audit: 'none',
  }),
}
