import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { samlDomains } from '#contract/saml-configs/saml-domains.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AddDomain } from './add-domain.tsx'
import { DomainItem } from './domain-item.tsx'
import styles from './domains.module.css'

/** The mail domains of a configuration beside its own, each with its proof. */
export function FurtherDomains({ samlConfigId }: { samlConfigId: number }) {
  const { t } = useTranslation()
  const params = { id: String(samlConfigId) }
  const list = useQuery(freshQuery(samlDomains.list, { params }))
  return (
    <FieldGroup legend={t('furtherDomains')} hint={t('furtherDomainsHint')}>
      <Loaded query={list} skeleton={<Skeleton shape="control" />}>
        {(domains) =>
          domains.length > 0 && (
            <ul className={styles.list}>
              {domains.map((one) => (
                <DomainItem key={one.domain} params={params} of={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddDomain params={params} />
    </FieldGroup>
  )
}
