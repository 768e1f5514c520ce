import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataCopy, ownData } from '#contract/profile/own-data.ts'
import { DownloadLink } from '#web/lib/requests/download-link.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '#web/ui/things.module.css'

const hour = 3_600_000

/** A copy of everything that the portal holds on the person: asked for, being made, or ready to download. */
export function OwnData() {
  const { t } = useTranslation()
  const title = useId()
  const copy = useQuery({
    ...query(ownData.read),
    staleTime: 0,
    // Looks again until it is ready.
    refetchInterval: ({ state }) => (state.data?.copy && !state.data.copy.readyAt ? 5000 : false),
  })
  return (
    <Card>
      <section className={styles.section} aria-labelledby={title}>
        <div className={styles.heading}>
          <h2 id={title}>{t('dataTitle')}</h2>
          <p>{t('dataText')}</p>
        </div>
        <Loaded query={copy} skeleton={<CopySkeleton />}>
          {({ copy: present }) => <Copy copy={present} />}
        </Loaded>
      </section>
    </Card>
  )
}

function Copy({ copy }: { copy: DataCopy | null }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { mutate, isPending } = useSave(ownData.request)
  const mayAsk = !copy || Date.now() - new Date(copy.requestedAt).getTime() > hour
  return (
    <>
      <p role="status">
        {copy && !copy.readyAt && t('dataBeingMade')}
        {copy?.expiresAt && t('dataReady', { moment: dateTimeText(copy.expiresAt, language) })}
      </p>
      <FormActions>
        {copy?.readyAt && (
          <>
            <DownloadLink href={ownData.html.url}>{t('dataDownloadHtml')}</DownloadLink>
            <DownloadLink href={ownData.json.url}>{t('dataDownloadJson')}</DownloadLink>
          </>
        )}
        {mayAsk && (
          <Button loading={isPending} onClick={() => mutate(undefined)}>
            {t(copy ? 'dataRequestAgain' : 'dataRequest')}
          </Button>
        )}
      </FormActions>
    </>
  )
}

function CopySkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={1} />
    </SkeletonGroup>
  )
}
