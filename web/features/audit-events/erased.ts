import type { TFunction } from 'i18next'
import { erasedPrefix } from '#contract/audit-events/audit-erasures.ts'

/** A label of the log as people read it: the pseudonym of someone who was erased is "Erased person 1a2b3c4d". */
export const labelText = (t: TFunction, label: string | null): string | null =>
  label?.startsWith(erasedPrefix) ? t('erasedPerson', { code: label.slice(erasedPrefix.length) }) : label
