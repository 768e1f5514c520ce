import type { Language } from '#contract/languages.ts'
import type { OfferedRole } from '#contract/service-roles/service-roles.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'

type Texts = Pick<OfferedRole, `name${Capitalize<Language>}` | `description${Capitalize<Language>}`>

const suffixes = { sv: 'Sv', en: 'En', fi: 'Fi', fr: 'Fr' } as const satisfies Record<Language, string>

/** Name and description of a role in the reader's language, or in Swedish. */
export function useRoleTexts() {
  const suffix = suffixes[useLanguage()]
  return (role: Texts) => ({
    name: role[`name${suffix}`] ?? role.nameSv,
    description: role[`description${suffix}`] ?? role.descriptionSv,
  })
}
