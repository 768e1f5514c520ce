import { useTranslation } from 'react-i18next'
import type { BrandForm } from '#contract/brands/brand-form.ts'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { BrandLogo } from '#web/ui/frame/brand-logo.tsx'
import { Logo } from '#web/ui/frame/logo.tsx'
import styles from './brands.module.css'

/** The sign-in in both themes, as a picture of it: nothing in it can be used. */
export function BrandPreview({ name, hue, logo, darkLogo }: BrandForm & { name: string }) {
  const { t } = useTranslation()
  return (
    <FieldGroup legend={t('brandPreview')}>
      <div className={styles.previews} inert>
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme} className={styles.preview} data-brand="" data-hue={hue ?? 'own'} data-theme={theme}>
            {logo ? (
              <BrandLogo name={name} logo={logo} darkLogo={darkLogo} plate={darkLogo ? '' : 'yes'} theme={theme} />
            ) : (
              <Logo size={40} name={t('productName')} />
            )}
            <div className={styles.card}>
              <p className={styles.title}>{t('signInTo', { name: t('productName') })}</p>
              <div className={styles.input} />
              <p className={styles.link}>{t('forgotPassword')}</p>
              <div className={styles.button}>{t('continue')}</div>
            </div>
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}
