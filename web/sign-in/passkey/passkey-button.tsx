import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import type { MessageKey } from '#contract/message-key.ts'
import { Button } from '#web/ui/button.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useSubmission } from '../frame/use-submission.ts'
import styles from './passkey-button.module.css'

interface PasskeyButtonProps {
  /** What stands in the field, to show it again after a failure. */
  readEmail: () => string
  onProblem: (problem: { message: MessageKey } | undefined) => void
}

const loadPart = () => import('./ask-for-passkey.ts')

/**
 * Signs in by a passkey alone: by the button, or from the list that the browser shows in the e-mail field. Everybody sees the
 * button, so that it says nothing about an address.
 */
export function PasskeyButton({ readEmail, onProblem }: PasskeyButtonProps) {
  const { t, data } = usePublicPage()
  const { submitting, begin, end } = useSubmission()
  const [unused, setUnused] = useState(false)
  const { uid, passkeyChallenge: challenge, passkeyRpId: rpId } = data
  const place = { uid, challenge, rpId, readEmail }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a page; the address is read when it is sent
  useEffect(() => {
    let stop = () => {}
    let left = false
    // Not needed for the first look at the page. Without it there is the button.
    void loadPart().then(
      ({ waitForPasskey }) => {
        if (!left) stop = waitForPasskey(place)
      },
      () => undefined,
    )
    return () => {
      left = true
      stop()
    }
  }, [uid])

  const ask = async () => {
    if (!begin()) return
    onProblem(undefined)
    setUnused(false)
    const part = await loadPart().catch(() => undefined)
    const outcome = part ? await part.askForPasskey(place) : 'networkError'
    if (outcome === 'sent') return
    end()
    if (outcome === 'cancelled') setUnused(true)
    else onProblem({ message: outcome })
  }

  return (
    <div className={styles.part}>
      <Button icon={KeyRound} full loading={submitting} onClick={() => void ask()}>
        {t('signInWithPasskey')}
      </Button>
      {/* Nothing loud: the person may have changed their mind. */}
      <p role="status" className={styles.said}>
        {unused && t('passkeyUnused')}
      </p>
    </div>
  )
}
