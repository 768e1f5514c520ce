import { useTranslation } from 'react-i18next'
import { erasedPrefix } from '#contract/audit-events/audit-erasures.ts'
import type { AuditEvent } from '#contract/audit-events/audit-events.ts'
import { labelText } from './erased.ts'
import { isOfSignIn } from './event-names.ts'
import { changedTo, sentenceOf } from './event-sentences.ts'
import { propertyLabel, valueLabel } from './property-labels.ts'

/** A label inside a sentence: "phone number", but "SAML configuration". */
const inside = (label: string, language: string) =>
  /^\p{Lu}\p{Ll}+( |$|-\p{Ll})/u.test(label) ? label.charAt(0).toLocaleLowerCase(language) + label.slice(1) : label

/** What happened, in words that a person understands. */
export function useSentence() {
  const { t, i18n } = useTranslation()
  return (event: AuditEvent): string => {
    const { actor, target, actorName, targetName, changes } = event
    const labels = changes.flatMap(({ property }) => propertyLabel(property, event.name) ?? [])
    const properties = [...new Set(labels)].map((key) => inside(t(key), i18n.language)).join(', ')
    return t(sentenceOf({ ...event, properties }), {
      actor: actorName ?? labelText(t, actor) ?? t('someone'),
      target: targetName ?? labelText(t, target) ?? '–',
      properties,
      organization: changedTo(event, 'organization') ?? changedTo(event, 'organizations'),
      service: changedTo(event, 'service'),
      client: changedTo(event, 'client'),
    })
  }
}

/** How and from where somebody signed in or out; empty for all other events. */
export function useOrigin() {
  const { t } = useTranslation()
  return (event: AuditEvent): string => {
    if (!isOfSignIn(event.name)) return ''
    const shown = ['method', 'address', 'browser'].flatMap((property) => {
      const value = changedTo(event, property)
      if (value?.startsWith(erasedPrefix)) return []
      const key = value === null ? undefined : valueLabel(property, value)
      return key ? t(key) : (value ?? [])
    })
    return shown.join(' · ')
  }
}

/** What a line says beside the event's name: of a sign-in its circumstances, of a change what was changed. */
export function useAbout() {
  const { t } = useTranslation()
  const originOf = useOrigin()
  return (event: AuditEvent): string => {
    const { name, changes } = event
    // What is new or gone has every property.
    if (isOfSignIn(name) || /^(create|delete)/.test(name)) return originOf(event)
    const labels = changes.flatMap(({ property }) => propertyLabel(property, name) ?? [])
    return [...new Set(labels)].map((key) => t(key)).join(', ')
  }
}
