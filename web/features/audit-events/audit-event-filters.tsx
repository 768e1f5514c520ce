import ListFilter from 'lucide-react/icons/list-filter'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Toolbar } from '#web/ui/frame/page.tsx'
import styles from './audit-events.module.css'
import { type AuditEventsSearch, type Period, periods } from './audit-events-search.ts'
import { eventNames } from './event-names.ts'

interface AuditEventFiltersProps {
  search: AuditEventsSearch
  onChange: (changed: AuditEventsSearch) => void
  /** Undefined when no filter is set. */
  onClear: (() => void) | undefined
}

const periodTexts = { day: 'eventPeriodDay', week: 'eventPeriodWeek', month: 'eventPeriodMonth' } as const

/** The filters of the audit log. Typed text takes effect after a short delay. */
export function AuditEventFilters({ search, onChange, onClear }: AuditEventFiltersProps) {
  const { t, i18n } = useTranslation()
  const id = useId()
  // On small screens the filters are folded to leave room for the events, unless the address sets one.
  const [open, setOpen] = useState(onClear !== undefined)
  const names = Object.entries(eventNames)
    .map(([name, key]) => ({ name, label: t(key) }))
    .sort((one, other) => one.label.localeCompare(other.label, i18n.language))
  return (
    <Toolbar>
      <div className={styles.toggle}>
        <Button aria-expanded={open} aria-controls={id} icon={ListFilter} onClick={() => setOpen(!open)}>
          {t(open ? 'hideFilters' : 'showFilters')}
        </Button>
      </div>
      <div id={id} className={styles.filters} data-open={open}>
        <div className={styles.select}>
          <Select
            aria-label={t('eventName')}
            value={search.nameFilter ?? ''}
            onChange={(event) => onChange({ nameFilter: event.target.value || undefined })}
          >
            <option value="">{t('eventAllNames')}</option>
            {names.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        </div>
        <div className={styles.select}>
          <Select
            aria-label={t('eventPeriod')}
            value={search.period ?? ''}
            onChange={(event) => onChange({ period: (event.target.value || undefined) as Period | undefined })}
          >
            <option value="">{t('eventPeriodAll')}</option>
            {(Object.keys(periods) as Period[]).map((period) => (
              <option key={period} value={period}>
                {t(periodTexts[period])}
              </option>
            ))}
          </Select>
        </div>
        <TextFilter
          label={t('searchEventActor')}
          value={search.actorFilter}
          onCommit={(actorFilter) => onChange({ actorFilter })}
        />
        <TextFilter
          label={t('searchEventTarget')}
          value={search.targetFilter}
          onCommit={(targetFilter) => onChange({ targetFilter })}
        />
        {onClear && <Button onClick={onClear}>{t('clearFilters')}</Button>}
      </div>
    </Toolbar>
  )
}

interface TextFilterProps {
  label: string
  value: string | undefined
  onCommit: (text: string | undefined) => void
}

function TextFilter({ label, value = '', onCommit }: TextFilterProps) {
  const { t } = useTranslation()
  const [text, setText, commitNow] = useSearchText(value, (next) => onCommit(next || undefined))
  return (
    <SearchInput
      label={label}
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
}
