import { useTranslation } from 'react-i18next'
import { type AuditEventName, auditEventNames } from '#contract/audit-event.ts'
import { eventsOfKindSignIns } from '#contract/audit-events/audit-events.ts'
import type { MessageKey } from '#contract/message-key.ts'
import * as rooms from '#contract/rooms.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { eventTextKey } from './event-names.ts'

type RoomName = keyof typeof rooms

/** Which rooms' events stand together in the choice; those of all other rooms come last. */
const groups: readonly (readonly [label: MessageKey, rooms: readonly RoomName[]])[] = [
  ['eventGroupSignIn', ['signIn', 'stepUp', 'factors', 'passkeys', 'passwordReset', 'notMe', 'recoveries', 'profile']],
  ['eventGroupUsers', ['users', 'invitations']],
  ['eventGroupOrganizations', ['organizations', 'brands', 'samlConfigs', 'samlSetups']],
  ['eventGroupServices', ['services', 'serviceClients', 'directory', 'accessRequests', 'accessReviews']],
  ['eventGroupGroups', ['groups']],
  ['eventGroupRoles', ['organizationRoles', 'scopedRoles', 'serviceRoles']],
  ['eventGroupDirectory', ['scim']],
]

const eventsOf = (names: readonly RoomName[]): AuditEventName[] =>
  Object.entries(rooms).flatMap(([name, room]) =>
    names.includes(name as RoomName) && 'auditEvents' in room ? [...room.auditEvents] : [],
  )
const grouped = groups.map(([label, names]) => ({ label, events: eventsOf(names) }))
const known = new Set(grouped.flatMap(({ events }) => events))
const sections = [
  ...grouped,
  { label: 'eventGroupOperation' as MessageKey, events: auditEventNames.filter((name) => !known.has(name)) },
]

interface EventNameFieldProps {
  kind: 'changes' | 'signIns' | undefined
  value: string | undefined
  onChoose: (name: string | undefined) => void
}

/** One event of those that the kind has, by what they are about. */
export function EventNameField({ kind, value, onChoose }: EventNameFieldProps) {
  const { t, i18n } = useTranslation()
  const isSignIn = (name: string) => (eventsOfKindSignIns as readonly string[]).includes(name)
  const isOfKind = (name: string) => kind === undefined || isSignIn(name) === (kind === 'signIns')
  return (
    <Field label={t('eventName')}>
      <Select value={value ?? ''} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('eventAllNames')}</option>
        {sections.map(({ label, events }) => {
          const options = events
            .filter(isOfKind)
            .map((name) => ({ name, text: t(eventTextKey(name)) }))
            .sort((one, other) => one.text.localeCompare(other.text, i18n.language))
          return (
            options.length > 0 && (
              <optgroup key={label} label={t(label)}>
                {options.map(({ name, text }) => (
                  <option key={name} value={name}>
                    {text}
                  </option>
                ))}
              </optgroup>
            )
          )
        })}
      </Select>
    </Field>
  )
}
