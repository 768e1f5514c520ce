import type { Language } from '#contract/languages.ts'
import { metadataWarningTexts as texts } from '#contract/saml-configs/metadata-warning-texts.ts'
import type { MetadataWarning } from '#contract/saml-configs/saml-metadata.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { Alert } from '#web/ui/alert.tsx'
import type { SaySaml } from './saml-texts.ts'

interface MetadataWarningsProps {
  warnings: readonly MetadataWarning[]
  say: SaySaml
  language: Language
}

/** What was left out of metadata, or is wrong with it. */
export function MetadataWarnings({ warnings, say, language }: MetadataWarningsProps) {
  return warnings.map(({ kind, detail }) => (
    <Alert key={`${kind} ${detail}`} tone="warn">
      {say(texts[kind], { detail: kind === 'expired' ? dateTimeText(detail, language) : detail })}
    </Alert>
  ))
}
