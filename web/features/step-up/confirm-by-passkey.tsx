import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeys } from '#contract/passkeys/passkeys.ts'
import { faultOf, knowsPasskeys, proveByPasskey } from '#web/lib/passkeys/browser-passkeys.ts'
import { call, send } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { failureText, useTexts } from '#web/lib/texts/texts.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'

/** A passkey or security key of the account, once more. */
export function ConfirmByPasskey({ text, onDone }: { text: string | null; onDone: () => void }) {
  const { t } = useTranslation()
  const texts = useTexts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirm = async () => {
    setProblem(undefined)
    if (!knowsPasskeys()) return setProblem(t('passkeyBrowserTooOld'))
    setBusy(true)
    try {
      const credential = await proveByPasskey(await call(passkeys.beginProof, { input: {} }))
      await send(passkeys.prove, { input: { credential: credential as never } })
      onDone()
    } catch (error) {
      if (error instanceof ApiProblem) return setProblem(failureText(error, texts))
      const fault = faultOf(error)
      if (fault) setProblem(t(fault))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {text && <p>{text}</p>}
      <div role="alert">{problem && <Alert tone="danger">{problem}</Alert>}</div>
      <FormActions>
        <Button variant="primary" loading={busy} onClick={() => void confirm()}>
          {t('usePasskey')}
        </Button>
      </FormActions>
    </>
  )
}
