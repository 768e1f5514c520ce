import { getRouteApi } from '@tanstack/react-router'
import SearchX from 'lucide-react/icons/search-x'
import { useTranslation } from 'react-i18next'
import type { OwnService } from '#contract/launcher.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { ServiceCard, ServiceGrid } from '#web/ui/service-card.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { hueOf, placeOf } from './service-look.ts'

const searchFrom = 13
const overview = getRouteApi('/')

export function ServiceList({ services }: { services: readonly OwnService[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { searchQuery: inAddress = '' } = overview.useSearch()
  const navigate = overview.useNavigate()
  const [searchQuery, search] = useSearchText(
    inAddress,
    (text) => void navigate({ search: text ? { searchQuery: text } : {}, replace: true }),
  )
  const searchable = services.length >= searchFrom
  const wanted = searchQuery.trim().toLocaleLowerCase(language)
  const shown = searchable
    ? services.filter(({ name, url }) =>
        `${name} ${placeOf(url, services)}`.toLocaleLowerCase(language).includes(wanted),
      )
    : services
  return (
    <>
      {searchable && (
        <>
          <SearchInput
            label={t('searchServices')}
            clearLabel={t('clearSearch')}
            value={searchQuery}
            onChange={search}
          />
          <p className="vh" role="status">
            {wanted && t('servicesFound', { count: shown.length })}
          </p>
        </>
      )}
      {shown.length > 0 ? (
        <ServiceGrid label={t('services')}>
          {shown.map(({ serviceId, name, url }) => (
            // The hue of a tile depends on the name, so that users recognise a service.
            <li key={serviceId} data-brand="" style={{ '--brand-h': hueOf(name) } as React.CSSProperties}>
              <ServiceCard name={name} host={placeOf(url, services)} href={url} />
            </li>
          ))}
        </ServiceGrid>
      ) : (
        <EmptyState icon={SearchX} action={<Button onClick={() => search('')}>{t('clearSearch')}</Button>}>
          {t('noServicesFound', { searchQuery })}
        </EmptyState>
      )}
    </>
  )
}
