import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emailTemplateLabels } from '#contract/email-templates/email-templates.ts'
import { smsParts } from '#contract/email-templates/sms-parts.ts'
import { type TemplatePlace, templateEditor } from '#contract/email-templates/template-editor.ts'
import { placeholdersOf, type TemplateText, textProblems } from '#contract/email-templates/template-texts.ts'
import styles from './email-templates.module.css'
import editor from './template-editor.module.css'

interface LivePreviewProps {
  place: TemplatePlace
  text: TemplateText
  phone: boolean
}

const pauseMs = 500

/** The text that is being written as its reader would get it, rendered by the server. */
export function LivePreview({ place, text, phone }: LivePreviewProps) {
  const { t } = useTranslation()
  const shown = useShown(place, text)
  const form = useRef<HTMLFormElement>(null)
  const name = `preview-${shown?.revision}`
  useEffect(() => {
    if (name) form.current?.submit()
  }, [name])
  const title = t('templatePreviewOf', { name: t(emailTemplateLabels[place.type]) })
  const isLatest = isUsable(place, text)
  return (
    <section className={styles.mail} data-view={phone ? 'phone' : 'desktop'} aria-label={title}>
      <div className={styles.subject} role="status">
        {isLatest ? <span className={styles.term}>{title}</span> : t('templatePreviewWaits')}
      </div>
      {shown && (
        <>
          {/* A form, because only the answer to a navigation has its own content policy. */}
          <form
            ref={form}
            hidden
            method="post"
            target={name}
            action={templateEditor.tryText.url.replace('{type}', place.type)}
          >
            <input type="hidden" name="language" value={place.language} readOnly />
            <input type="hidden" name="subject" value={shown.text.subject} readOnly />
            <textarea name="body" value={shown.text.body} readOnly />
            <input type="hidden" name="button" value={shown.text.button} readOnly />
          </form>
          {/* A new frame for each text: another page in the same frame would be a step of the browser's history. */}
          <iframe key={name} name={name} className={styles.frame} sandbox="" title={title} />
        </>
      )}
    </section>
  )
}

/** The latest text without problems, once typing pauses. */
function useShown({ type, channel }: TemplatePlace, text: TemplateText) {
  const usable = isUsable({ type, channel }, text)
  const [shown, setShown] = useState(usable ? { revision: 1, text } : undefined)
  const { subject, body, button } = text
  useEffect(() => {
    if (!usable) return
    const show = () =>
      setShown((before) =>
        before && sameText(before.text, { subject, body, button })
          ? before
          : { revision: (before?.revision ?? 0) + 1, text: { subject, body, button } },
      )
    const timer = setTimeout(show, pauseMs)
    return () => clearTimeout(timer)
  }, [usable, subject, body, button])
  return shown
}

const isUsable = ({ type, channel }: Pick<TemplatePlace, 'type' | 'channel'>, text: TemplateText) =>
  text.subject.trim() !== '' && textProblems(placeholdersOf(type, channel), text).length === 0
const sameText = (one: TemplateText, other: TemplateText) =>
  one.subject === other.subject && one.body === other.body && one.button === other.button

const sample: Record<string, string> = { code: '123456', minutes: '10' }

/** The text message with sample values, and what it costs. */
export function SmsPreview({ text }: { text: string }) {
  const { t } = useTranslation()
  const filled = text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => sample[name] ?? whole)
  const message = `${filled}\n\n@${location.hostname} #${sample.code}`
  const { parts, alphabet } = smsParts(message)
  return (
    <section className={styles.mail} data-view="phone" aria-label={t('templateViewSms')}>
      <pre className={editor.sms}>{message}</pre>
      <div className={styles.subject} role="status">
        {t('smsPartsCount', { count: parts, alphabet: alphabet === 'gsm7' ? 'GSM-7' : 'UCS-2' })}
        {alphabet === 'ucs2' && <span className={styles.term}>{t('smsUcs2Hint')}</span>}
      </div>
    </section>
  )
}
