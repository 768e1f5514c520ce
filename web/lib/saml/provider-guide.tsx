import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import styles from './provider-guide.module.css'
import type { GuideStep } from './provider-guides.ts'
import type { SaySaml } from './saml-texts.ts'

/** What stands for every product without a guide of its own. */
export const otherProduct = 'other'

interface ProviderGuideProps {
  /** By product. */
  guides: Record<string, readonly GuideStep[]>
  otherGuide: readonly GuideStep[]
  say: SaySaml
  hint: string
  /** Of the choice. */
  label?: string | undefined
  choose?: string | undefined
  /** Chosen elsewhere already. */
  product?: string | undefined
}

/** What the organisation's IT does on its side, product by product, to follow here or to send to them. */
export function ProviderGuide({ guides, otherGuide, say: t, hint, label, choose, product: given }: ProviderGuideProps) {
  const [picked, setProduct] = useState('')
  const [copied, setCopied] = useState('')
  const product = given ?? picked
  const steps = product === otherProduct ? otherGuide : guides[product]
  const textOf = ({ text, path }: GuideStep) => t(text, { path })
  const copy = (chosen: readonly GuideStep[]) =>
    navigator.clipboard.writeText(plainText(chosen, textOf)).then(
      () => setCopied(product),
      () => undefined,
    )
  return (
    <>
      {given === undefined && (
        <Field label={label ?? t('samlGuide')} hint={hint}>
          <Select value={product} onChange={({ target }) => setProduct(target.value)}>
            <option value="">{choose ?? t('samlGuideChoose')}</option>
            {Object.keys(guides).map((name) => (
              <option key={name}>{name}</option>
            ))}
            <option value={otherProduct}>{t('samlGuideOther')}</option>
          </Select>
        </Field>
      )}
      {steps && (
        <div className={styles.guide}>
          <ol>
            {steps.map((step) => (
              <li key={step.path}>
                <p>{textOf(step)}</p>
                {step.fields && (
                  <ul>
                    {step.fields.map(([name, value]) => (
                      <li key={name}>
                        {name}: <code>{value}</code>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ol>
          <Button icon={copied === product ? Check : Copy} onClick={() => void copy(steps)}>
            {t(copied === product ? 'copied' : 'samlGuideCopy')}
          </Button>
        </div>
      )}
    </>
  )
}

const plainText = (steps: readonly GuideStep[], textOf: (step: GuideStep) => string) =>
  steps
    .map((step, at) =>
      [`${at + 1}. ${textOf(step)}`, ...(step.fields ?? []).map(([name, value]) => `   ${name}: ${value}`)].join('\n'),
    )
    .join('\n')
