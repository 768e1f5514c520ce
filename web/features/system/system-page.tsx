import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type SystemState, system } from '#contract/system/system.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Card } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { AuditFacts } from './audit-facts.tsx'
import { CertificatesTable, KeysTable } from './certificates-table.tsx'
import { DatabaseFacts } from './database-facts.tsx'
import { FailedMessages } from './failed-messages.tsx'
import { NodesTable } from './nodes-table.tsx'
import { SendWaiting } from './send-waiting.tsx'
import styles from './system.module.css'
import { TestMail } from './test-mail.tsx'
import { JobsTable, QueuesTable } from './work-tables.tsx'

/** How the portal runs, for those who operate it. */
export function SystemPage() {
  const { t } = useTranslation()
  const found = useQuery({ ...freshQuery(system.read), refetchInterval: 15_000 })
  return (
    <AdministrationPage>
      <Loaded
        query={found}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="row" count={12} />
          </SkeletonGroup>
        }
      >
        {(state) => <Sections state={state} />}
      </Loaded>
    </AdministrationPage>
  )
}

function Sections({ state }: { state: SystemState }) {
  const { t } = useTranslation()
  const { version, nodeVersion, nodes, database, queues, jobs, certificates, keys, audit } = state
  return (
    <>
      <p className={styles.version}>{t('systemVersion', { version, nodeVersion: nodeVersion.replace(/^v/, '') })}</p>
      <Section title={t('systemNodes')} flush>
        <NodesTable nodes={nodes} />
      </Section>
      <div className={styles.pair}>
        <Section title={t('systemDatabase')}>
          <DatabaseFacts database={database} />
        </Section>
        <Section title={t('systemAudit')}>
          <AuditFacts audit={audit} />
        </Section>
      </div>
      <Section title={t('systemQueues')} flush>
        <QueuesTable queues={queues} />
      </Section>
      <Section title={t('failedMessages')} id="failed-messages" flush>
        <FailedMessages />
      </Section>
      <Section title={t('systemMail')}>
        <SendWaiting queues={queues} />
        <TestMail />
      </Section>
      <Section title={t('systemJobs')} flush>
        <JobsTable jobs={jobs} />
      </Section>
      <Section title={t('systemCertificates')} flush>
        <CertificatesTable certificates={certificates} />
      </Section>
      <Section title={t('systemKeys')} flush>
        <KeysTable keys={keys} />
      </Section>
    </>
  )
}

interface SectionProps {
  title: string
  /** Links of other pages lead to it. */
  id?: string
  flush?: boolean
  children: ReactNode
}

function Section({ title, id, flush, children }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // It is there only once the page has loaded, after the router has looked for it.
  useEffect(() => {
    if (id && location.hash === `#${id}`) heading.current?.focus()
  }, [id])
  return (
    <section className={styles.section}>
      <h2 ref={heading} id={id} tabIndex={id ? -1 : undefined}>
        {title}
      </h2>
      <Card flush={flush ?? false}>{children}</Card>
    </section>
  )
}
