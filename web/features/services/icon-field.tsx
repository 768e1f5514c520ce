import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Upload from 'lucide-react/icons/upload'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { glyphLabels, serviceGlyphs } from '#contract/services/service-icons.ts'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/fields/field.module.css'
import { Icon } from '#web/ui/icon.tsx'
import { ServiceIcon } from '#web/ui/service-icon.tsx'
import { drawIcon } from './draw-icon.ts'
import styles from './icon-field.module.css'

interface IconFieldProps {
  id: string
  label: string
  error: string | undefined
  /** The name of the service, for its letters. */
  name: string
  /** A glyph, an address, or '' for none. */
  value: string
  onChange: (icon: string) => void
}

/** Chooses the icon of a service: the letters of its name, a glyph, or an image of one's own. */
export function IconField({ id, label, error, name, value, onChange }: IconFieldProps) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  const [failed, setFailed] = useState(false)
  const own = /[:/]/.test(value) ? value : undefined
  const problem = failed ? t('iconUnreadable') : error
  const choices = [
    { icon: '', text: t('iconNone') },
    ...serviceGlyphs.map((icon) => ({ icon: icon as string, text: t(glyphLabels[icon]) })),
    ...(own ? [{ icon: own, text: t('iconOwn') }] : []),
  ]
  const choose = (icon: string) => {
    setFailed(false)
    onChange(icon)
  }
  const draw = async (chosen: File | undefined) => {
    if (!chosen) return
    try {
      choose(await drawIcon(chosen))
    } catch {
      setFailed(true)
    }
  }
  return (
    <fieldset className={styles.group} aria-describedby={problem ? `${id}-error` : undefined}>
      <legend className={field.label}>{label}</legend>
      <div className={styles.choices}>
        {choices.map(({ icon, text }, index) => (
          <label key={icon} className={styles.choice} title={text}>
            <input
              {...(index === 0 && { id })}
              type="radio"
              name={`${id}-icon`}
              className="vh"
              aria-label={text}
              aria-invalid={problem ? true : undefined}
              checked={icon === value}
              onChange={() => choose(icon)}
            />
            <ServiceIcon name={name || 'A'} icon={icon} />
          </label>
        ))}
      </div>
      <div className={styles.upload}>
        <input
          ref={file}
          type="file"
          accept="image/svg+xml,image/png"
          hidden
          onChange={(event) => {
            void draw(event.target.files?.[0])
            // The same file may be chosen again after it was changed.
            event.target.value = ''
          }}
        />
        <Button size="small" icon={Upload} aria-describedby={`${id}-hint`} onClick={() => file.current?.click()}>
          {t('iconUpload')}
        </Button>
        <span id={`${id}-hint`} className={field.hint}>
          {t('iconUploadHint')}
        </span>
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
