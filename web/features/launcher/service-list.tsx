import { getRouteApi } from '@tanstack/react-router'
import SearchX from 'lucide-react/icons/search-x'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { LauncherService, MissingService } from '#contract/launcher/launcher.ts'
import { launchPath } from '#web/lib/launch-path.ts'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { ServiceCard, ServiceGrid, StarButton } from '#web/ui/service-card.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { groupServices, many, type ServiceGroup } from './group-services.ts'
import styles from './launcher.module.css'
import { type LauncherView, useLauncherView } from './launcher-view.ts'
import { RequestableServices } from './requestable-services.tsx'
import { placeOf } from './service-look.ts'
import { useCardKeys } from './use-card-keys.ts'
import { useFavourite } from './use-favourite.ts'
import { ViewSwitch } from './view-switch.tsx'

const overview = getRouteApi('/')

interface ServiceListProps {
  services: readonly LauncherService[]
  requestable: readonly MissingService[]
  accountId: string
  organizationId: string
}

/** The services in groups; with many of them, a search and a choice of views. */
export function ServiceList({ services, requestable, ...own }: ServiceListProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { searchQuery: inAddress = '' } = overview.useSearch()
  const navigate = overview.useNavigate()
  const [searchQuery, search] = useSearchText(
    inAddress,
    (text) => void navigate({ search: text ? { searchQuery: text } : {}, replace: true }),
  )
  const [view, setView] = useLauncherView()
  const { place, onKeyDown } = useCardKeys()
  const favour = useFavourite(own)
  const searchable = services.length + requestable.length >= many
  const wanted = searchable ? searchQuery.trim().toLocaleLowerCase(language) : ''
  const found = (...texts: (string | null)[]) => texts.join('\n').toLocaleLowerCase(language).includes(wanted)
  const shown = services.filter(({ name, url, description, category }) =>
    found(name, placeOf(url, services), description, category),
  )
  const missing = requestable.filter(({ name, description, category }) => found(name, description, category))
  const count = shown.length + missing.length
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are an extra, each card is a link of its own
    <div ref={place} className={styles.services} onKeyDown={onKeyDown}>
      {searchable && (
        <div className={styles.tools}>
          <SearchInput
            label={t('searchServices')}
            clearLabel={t('clearSearch')}
            value={searchQuery}
            onChange={search}
          />
          <ViewSwitch view={view} onChange={setView} />
          <p className="vh" role="status">
            {wanted && t('servicesFound', { count })}
          </p>
        </div>
      )}
      {groupServices(shown, services.length < many || wanted !== '').map((group, _, { length }) => (
        <Group
          key={`${group.kind} ${group.name}`}
          group={group}
          alone={length === 1 && group.kind === 'otherServices'}
          view={searchable ? view : 'cards'}
        >
          {(service) => (
            <ServiceCard
              name={service.name}
              icon={service.icon}
              text={service.description}
              host={placeOf(service.url, services)}
              ends={service.endsOn && t('endsOn', { day: dayText(service.endsOn, language, 'full') })}
              href={launchPath(service.serviceId, own.organizationId)}
              action={
                <StarButton
                  label={t('favouriteOf', { name: service.name })}
                  pressed={service.favourite}
                  data-star={service.serviceId}
                  onClick={() => favour(service)}
                />
              }
            />
          )}
        </Group>
      ))}
      <RequestableServices services={missing} shorten={!wanted} organizationId={own.organizationId} />
      {wanted && count === 0 && (
        <EmptyState icon={SearchX} action={<Button onClick={() => search('')}>{t('clearSearch')}</Button>}>
          {t('noServicesFound', { searchQuery })}
        </EmptyState>
      )}
    </div>
  )
}

interface GroupProps {
  group: ServiceGroup<LauncherService>
  /** All services in one group need no heading. */
  alone: boolean
  view: LauncherView
  children: (service: LauncherService) => React.ReactNode
}

function Group({ group: { kind, name, services }, alone, view, children }: GroupProps) {
  const { t } = useTranslation()
  const id = useId()
  const title = kind === 'category' ? name : t(kind)
  const grid = (
    <ServiceGrid label={alone ? t('services') : title} view={view}>
      {services.map((service) => (
        <li key={service.serviceId}>{children(service)}</li>
      ))}
    </ServiceGrid>
  )
  if (alone) return grid
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {grid}
    </section>
  )
}
