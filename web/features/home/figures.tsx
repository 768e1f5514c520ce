import { useTranslation } from 'react-i18next'
import type { HomeAnswer } from '#contract/home/home.ts'
import { type SignInKind, signInKinds } from '#contract/sign-in-methods.ts'
import type { Question } from '#web/lib/requests/loaded.tsx'
import { DayFigure } from './day-figure.tsx'
import styles from './home.module.css'
import { SeatsFigure } from './seats-figure.tsx'
import sections from './section.module.css'

const kinds = Object.keys(signInKinds) as SignInKind[]

/** The figures of the last 30 days. What failed is said once, above the services. */
export function Figures({ found }: { found: Question<HomeAnswer> }) {
  const { t } = useTranslation()
  if (!found.data) return null
  const { days, before, seats } = found.data.figures
  return (
    <section className={sections.section} aria-labelledby="figures">
      <h2 id="figures">{t('figuresTitle')}</h2>
      <div className={styles.figures}>
        <DayFigure
          title={t('figureSignIns')}
          days={days}
          before={before?.signIns}
          series={Object.values(signInKinds).map((name) => t(name))}
          values={({ signIns }) => kinds.map((kind) => signIns[kind])}
          none={t('noSignInsYet')}
          wide
        />
        <SeatsFigure seats={seats} />
        <DayFigure
          title={t('figureActivePeople')}
          days={days}
          before={before?.activePeople}
          values={({ activePeople }) => [activePeople]}
          none={t('noSignInsYet')}
          peak
        />
        <DayFigure
          title={t('figureFailedSignIns')}
          days={days}
          before={before?.failedSignIns}
          tone="danger"
          values={({ failedSignIns }) => [failedSignIns]}
          none={t('noFailedSignIns')}
        />
        <DayFigure
          title={t('figureAcceptedInvitations')}
          days={days}
          before={before?.acceptedInvitations}
          values={({ acceptedInvitations }) => [acceptedInvitations]}
          none={t('noAcceptedInvitations')}
        />
      </div>
    </section>
  )
}
