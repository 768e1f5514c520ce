import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { type SamlConfigDetails, samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '../saml-configs.module.css'

interface ConfigPageProps {
  samlConfigId: string
  heading: Extract<MessageKey, 'samlTestOf' | 'samlSignInsOf'>
  children: (config: SamlConfigDetails) => ReactNode
}

/** A page of one configuration, beside its dialog. */
export function ConfigPage({ samlConfigId, heading, children }: ConfigPageProps) {
  const { t } = useTranslation()
  const question = useQuery(freshQuery(samlConfigs.read, { params: { id: samlConfigId } }))
  const name = question.data?.name
  return (
    <AdministrationPage
      heading={name && t(heading, { name })}
      trail={[
        <Link key="list" to="/saml-configuration">
          {t('samlConfigs')}
        </Link>,
        name && (
          <Link key="config" to="/saml-configuration/$samlConfigId" params={{ samlConfigId }}>
            {name}
          </Link>
        ),
      ]}
    >
      <div className={styles.page}>
        <Loaded
          query={question}
          skeleton={
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="control" count={6} />
            </SkeletonGroup>
          }
        >
          {children}
        </Loaded>
      </div>
    </AdministrationPage>
  )
}
