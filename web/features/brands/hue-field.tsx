import { useTranslation } from 'react-i18next'
import { brandHues, isLikeSuccess } from '#contract/brands/brand-form.ts'
import type { MessageKey } from '#contract/message-key.ts'
import field from '#web/ui/fields/field.module.css'
import styles from './brands.module.css'

/** Up to which hue a colour has which name. */
const names: readonly (readonly [upTo: number, name: MessageKey])[] = [
  [10, 'hueRed'],
  [70, 'hueOrange'],
  [110, 'hueYellow'],
  [160, 'hueGreen'],
  [210, 'hueTeal'],
  [280, 'hueBlue'],
  [320, 'hueViolet'],
  [350, 'huePink'],
]
const nameOf = (hue: number): MessageKey => names.find(([upTo]) => hue <= upTo)?.[1] ?? 'huePink'

interface HueFieldProps {
  id: string
  label: string
  error: string | undefined
  value: number | null
  onChange: (hue: number | null) => void
}

/** One of the hues whose contrast is proven, or the portal's own. */
export function HueField({ id, label, error, value, onChange }: HueFieldProps) {
  const { t } = useTranslation()
  const note = value !== null && isLikeSuccess(value) ? t('hueLikeSuccess') : undefined
  const textOf = (hue: number | null) => (hue === null ? t('hueNone') : t('hueName', { colour: t(nameOf(hue)), hue }))
  return (
    <fieldset className={styles.group} aria-describedby={`${id}-chosen`}>
      <legend className={field.label}>{label}</legend>
      <div className={styles.hues}>
        {[null, ...brandHues].map((hue, index) => (
          <label key={hue} className={styles.hue} title={textOf(hue)} data-brand="" data-hue={hue ?? 'own'}>
            <input
              {...(index === 0 && { id })}
              type="radio"
              name={`${id}-hue`}
              className="vh"
              aria-label={textOf(hue)}
              checked={hue === value}
              onChange={() => onChange(hue)}
            />
          </label>
        ))}
      </div>
      <p id={`${id}-chosen`} className={error ? field.error : field.hint}>
        {error ?? [textOf(value), note].filter(Boolean).join('. ')}
      </p>
    </fieldset>
  )
}
