import type { Language } from '#contract/languages.ts'
import type { OfferedRole } from '#contract/service-roles/service-roles.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'

type Texts = Pick<OfferedRole, `name${Capitalize<Language>}` | `description${Capitalize<Language>}`>

const suffixes = { sv: 'Sv', en: 'En', fi: 'Fi', fr: 'Fr' } as const satisfies Record<Language, string>

/** The name of a role in the reader's language, or in Swedish. */
export function useRoleName() {
  const suffix = suffixes[useLanguage()]
  return (role: Pick<Texts, `name${Capitalize<Language>}`>) => role[`name${suffix}`] ?? role.nameSv
}

/** Likewise with the description. */
export function useRoleTexts() {
  const suffix = suffixes[useLanguage()]
  const nameOf = useRoleName()
  return (role: Texts) => ({
    name: nameOf(role),
    description: role[`description${suffix}`] ?? role.descriptionSv,
  })
}
