import ListFilter from 'lucide-react/icons/list-filter'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '#web/lib/forms/day-field.tsx'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/fields/field.module.css'
import { Field } from '#web/ui/fields/field.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Toolbar } from '#web/ui/frame/page.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import styles from './audit-events.module.css'
import { type EventFilters, eventKinds, type Period, periods } from './audit-events-search.ts'
import { EventNameField } from './event-name-field.tsx'
import { EventOrganizationField } from './event-organization-field.tsx'

interface AuditEventFiltersProps {
  search: EventFilters
  onChange: (changed: EventFilters) => void
  /** Undefined when no filter is set. */
  onClear: (() => void) | undefined
}

export const periodTexts = {
  day: 'eventPeriodDay',
  week: 'eventPeriodWeek',
  month: 'eventPeriodMonth',
  quarter: 'eventPeriodQuarter',
  all: 'eventPeriodAll',
  custom: 'eventPeriodCustom',
} as const

const kindTexts = { changes: 'eventKindChanges', signIns: 'eventKindSignIns' } as const

/** The filters of the audit log. Typed text takes effect after a short delay. */
export function AuditEventFilters({ search, onChange, onClear }: AuditEventFiltersProps) {
  const { t } = useTranslation()
  const id = useId()
  const { textFilter: _, ...folded } = search
  // On small screens the fields are folded to leave room for the events, unless the address sets one of them.
  const [open, setOpen] = useState(Object.values(folded).some(Boolean))
  return (
    <>
      <Toolbar>
        <TextFilter
          label={t('searchEvents')}
          value={search.textFilter}
          onCommit={(textFilter) => onChange({ textFilter })}
        />
        <div className={styles.toggle}>
          <IconButton
            label={t(open ? 'hideFilters' : 'showFilters')}
            icon={ListFilter}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          />
        </div>
        {onClear && <Button onClick={onClear}>{t('clearFilters')}</Button>}
      </Toolbar>
      <div id={id} className={styles.filters} data-open={open}>
        <Field label={t('eventKind')}>
          <Select
            value={search.kindFilter ?? ''}
            onChange={(event) =>
              onChange({
                kindFilter: eventKinds.find((kind) => kind === event.target.value),
                nameFilter: undefined,
              })
            }
          >
            <option value="">{t('eventKindAll')}</option>
            {eventKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(kindTexts[kind])}
              </option>
            ))}
          </Select>
        </Field>
        <EventNameField
          kind={search.kindFilter}
          value={search.nameFilter}
          onChoose={(nameFilter) => onChange({ nameFilter })}
        />
        <Field label={t('eventPeriod')}>
          <Select
            value={search.period ?? ''}
            onChange={(event) =>
              onChange({
                period: (event.target.value || undefined) as Period | undefined,
                from: undefined,
                until: undefined,
              })
            }
          >
            <option value="">{t(periodTexts.quarter)}</option>
            {periods.map((period) => (
              <option key={period} value={period}>
                {t(periodTexts[period])}
              </option>
            ))}
          </Select>
        </Field>
        {search.period === 'custom' && (
          <>
            <DayField
              key={`from ${search.from}`}
              label={t('eventFrom')}
              value={search.from}
              onChoose={(from) => onChange({ from })}
            />
            <DayField
              key={`until ${search.until}`}
              label={t('eventUntil')}
              value={search.until}
              onChoose={(until) => onChange({ until })}
            />
          </>
        )}
        <EventOrganizationField
          value={search.organizationFilter}
          onChoose={(organizationFilter) => onChange({ organizationFilter })}
        />
        <TextFilter
          label={t('eventActor')}
          titled
          value={search.actorFilter}
          onCommit={(actorFilter) => onChange({ actorFilter })}
        />
        <TextFilter
          label={t('eventTarget')}
          titled
          value={search.targetFilter}
          onCommit={(targetFilter) => onChange({ targetFilter })}
        />
      </div>
    </>
  )
}

interface TextFilterProps {
  label: string
  /** The label stands above the field, not in it. */
  titled?: boolean
  value: string | undefined
  onCommit: (text: string | undefined) => void
}

function TextFilter({ label, titled = false, value = '', onCommit }: TextFilterProps) {
  const { t } = useTranslation()
  const [text, setText, commitNow] = useSearchText(value, (next) => onCommit(next || undefined))
  const input = (
    <SearchInput
      label={label}
      {...(titled && { placeholder: '' })}
      clearLabel={t('clearSearch')}
      maxLength={200}
      value={text}
      onChange={setText}
      onBlur={commitNow}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commitNow()
      }}
    />
  )
  return titled ? (
    <div className={styles.titled}>
      <span className={field.label} aria-hidden="true">
        {label}
      </span>
      {input}
    </div>
  ) : (
    input
  )
}
