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
import type { SystemSection } from './findings.ts'
import { NodesTable } from './nodes-table.tsx'
import { SendWaiting } from './send-waiting.tsx'
import styles from './system.module.css'
import { TestMail } from './test-mail.tsx'
import { Verdict } from './verdict.tsx'
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
      <Verdict state={state} />
      <p className={styles.version}>{t('systemVersion', { version, nodeVersion: nodeVersion.replace(/^v/, '') })}</p>
      <Section of="systemNodes" flush>
        <NodesTable nodes={nodes} />
      </Section>
      <div className={styles.pair}>
        <Section of="systemDatabase">
          <DatabaseFacts database={database} />
        </Section>
        <Section of="systemAudit">
          <AuditFacts audit={audit} />
        </Section>
      </div>
      <Section of="systemQueues" flush>
        <QueuesTable queues={queues} />
      </Section>
      <Section of="failedMessages" flush>
        <FailedMessages queues={queues} />
      </Section>
      <Section of="systemMail">
        <SendWaiting queues={queues} />
        <TestMail />
      </Section>
      <Section of="systemJobs" flush>
        <JobsTable jobs={jobs} />
      </Section>
      <Section of="systemCertificates" flush>
        <CertificatesTable certificates={certificates} />
      </Section>
      <Section of="systemKeys" flush>
        <KeysTable keys={keys} />
      </Section>
    </>
  )
}

function Section({ of, flush, children }: { of: SystemSection; flush?: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  // A link of another page leads here. It is there only once the page has loaded, after the router has looked for it.
  useEffect(() => {
    if (location.hash === `#${of}`) heading.current?.focus()
  }, [of])
  return (
    <section id={of} className={styles.section}>
      <h2 ref={heading} tabIndex={-1}>
        {t(of)}
      </h2>
      <Card flush={flush ?? false}>{children}</Card>
    </section>
  )
}
