import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Upload from 'lucide-react/icons/upload'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/fields/field.module.css'
import { BrandLogo } from '#web/ui/frame/brand-logo.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from './brands.module.css'
import { readLogo } from './read-logo.ts'

interface LogoFieldProps {
  id: string
  label: string
  hint: string
  error: string | undefined
  /** An address, or an image as one. */
  value: string | null
  /** For dark pages. */
  dark?: boolean
  onChange: (logo: string | null) => void
}

/** Chooses an image, shows it in its box, and takes it away. */
export function LogoField({ id, label, hint, error, value, dark = false, onChange }: LogoFieldProps) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  const [failed, setFailed] = useState(false)
  const problem = failed ? t('logoUnreadable') : error
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    try {
      const image = await readLogo(chosen)
      setFailed(false)
      onChange(image)
    } catch {
      setFailed(true)
    }
  }
  const remove = () => {
    setFailed(false)
    onChange(null)
    document.getElementById(id)?.focus()
  }
  return (
    <fieldset className={styles.group}>
      <legend className={field.label}>{label}</legend>
      <p id={`${id}-hint`} className={field.hint}>
        {hint}
      </p>
      <div className={styles.image} data-brand="" data-theme={dark ? 'dark' : 'light'}>
        {value ? <BrandLogo name={label} logo={value} darkLogo={null} plate="" theme="light" /> : t('noLogo')}
      </div>
      <div className={styles.buttons}>
        <input
          ref={file}
          type="file"
          accept="image/png,image/webp"
          hidden
          onChange={(event) => {
            void choose(event.target.files?.[0])
            // The same file may be chosen again after it was changed.
            event.target.value = ''
          }}
        />
        <Button
          id={id}
          size="small"
          icon={Upload}
          aria-label={t('chooseLogoFor', { name: label })}
          aria-describedby={problem ? `${id}-error` : `${id}-hint`}
          onClick={() => file.current?.click()}
        >
          {t('chooseLogo')}
        </Button>
        {value && (
          <Button size="small" variant="ghost" aria-label={t('removeLogoOf', { name: label })} onClick={remove}>
            {t('removeLogo')}
          </Button>
        )}
      </div>
      {problem && (
        <p id={`${id}-error`} className={field.error} role={failed ? 'alert' : undefined}>
          <Icon of={CircleAlert} />
          {problem}
        </p>
      )}
    </fieldset>
  )
}
