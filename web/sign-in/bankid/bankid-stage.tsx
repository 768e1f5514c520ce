import CircleCheck from 'lucide-react/icons/circle-check'
import QrCodeSign from 'lucide-react/icons/qr-code'
import Smartphone from 'lucide-react/icons/smartphone'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Failure, failureText, useTexts } from '#web/lib/texts/texts.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { QrCode, QrPlace } from '#web/ui/qr-code.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import type { BankIdTextKey } from '../frame/text-keys.ts'
import { useInitialFocus } from '../frame/use-initial-focus.ts'
import { launchAddress } from './bankid-launch.ts'
import styles from './bankid-stage.module.css'
import type { BankIdTexts } from './bankid-texts.ts'
import { type BankIdView, preparing } from './bankid-view.ts'
import { useFocusFallback } from './use-focus-fallback.ts'
import type { Device } from './use-order.ts'

interface BankIdStageProps {
  view: BankIdView
  texts: BankIdTexts
  /** Why the order has ended without the person being known. */
  problem: Failure | undefined
  /** Where a simulated app is; null where it is real. */
  phoneApp: string | null
  /**
   * Opens the app as soon as possible after the user asked for it. A phone opens an app only by a link that is tapped.
   */
  opensItself: boolean
  onOpen: (token: string) => void
  onDevice: (device: Device) => void
  onTryAgain: () => void
  /** The way back. */
  children: ReactNode
}

/** The QR code or its placeholder, the message, and the buttons. */
export function BankIdStage({ view, texts, problem, phoneApp, opensItself, children, ...on }: BankIdStageProps) {
  const { t } = usePublicPage()
  const pageTexts = useTexts()
  const messageLine = useRef<HTMLParagraphElement>(null)
  const again = useRef<HTMLButtonElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const asked = useRef(false)
  useFocusFallback(stage, problem ? again : messageLine)
  useInitialFocus('try-again')
  const { panel, qrData, token, message } = view
  useEffect(() => {
    if (!token || !asked.current) return
    asked.current = false
    if (opensItself) link.current?.click()
  }, [token, opensItself])
  // The user cancelled: no error.
  const isCancelled = message === 'rfa3' || message === 'rfa6'
  const isSilent = message === undefined || message === preparing
  const text = message && (texts[message as BankIdTextKey] ?? failureText({ ...problem, message }, pageTexts))
  const address =
    token &&
    (phoneApp
      ? `${phoneApp}?autostarttoken=${encodeURIComponent(token)}`
      : launchAddress({ token, browser: navigator, page: location.href }))

  return (
    <div ref={stage} className={styles.stage}>
      {panel === 'code' && qrData && <QrCode value={qrData} label={texts.bankIdQrCode} />}
      {panel === 'waiting' && (
        <QrPlace>
          <Spinner size={40} />
        </QrPlace>
      )}
      {panel === 'done' && (
        <QrPlace>
          <Icon of={CircleCheck} size={40} />
        </QrPlace>
      )}
      {panel === 'problem' && (
        <QrPlace>
          <Icon of={QrCodeSign} size={40} />
        </QrPlace>
      )}
      <div className={styles.below} data-tall={panel !== undefined || undefined}>
        <div className={styles.texts} data-silent={isSilent || undefined}>
          <p ref={messageLine} role="status" tabIndex={-1} className={message === preparing ? 'vh' : undefined}>
            {!problem && text}
          </p>
          {view.explained && <p className={styles.hint}>{texts.bankIdScan}</p>}
          <div role="alert">{problem && <Alert tone={isCancelled ? 'info' : 'danger'}>{text}</Alert>}</div>
        </div>
        <div className={styles.choices}>
          {problem && (
            <Button ref={again} id="try-again" variant="primary" full onClick={on.onTryAgain}>
              {t('tryAgain')}
            </Button>
          )}
          {view.thisDevice && (
            <Button
              full
              onClick={() => {
                asked.current = true
                on.onDevice('this')
              }}
            >
              {texts.bankIdOpenHere}
            </Button>
          )}
          {token && (
            <LinkButton
              ref={link}
              href={address}
              {...(phoneApp && { target: '_blank', rel: 'noopener' })}
              referrerPolicy="origin"
              variant={view.toBeOpened ? 'primary' : 'secondary'}
              full
              onClick={() => on.onOpen(token)}
            >
              {texts.bankIdOpenHere}
            </LinkButton>
          )}
          {view.otherDevice && (
            <Button variant="ghost" full onClick={() => on.onDevice('other')}>
              {texts.bankIdShowQrCode}
            </Button>
          )}
          {phoneApp && (
            <a className={styles.phone} href={phoneApp} target="_blank" rel="noopener">
              <Icon of={Smartphone} />
              {texts.bankIdOpenPhone}
            </a>
          )}
        </div>
        <div className={styles.back}>{children}</div>
      </div>
    </div>
  )
}
