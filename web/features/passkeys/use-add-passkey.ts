import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PasskeyKind, passkeys } from '#contract/passkeys/passkeys.ts'
import { faultOfMaking, knowsPasskeys, makePasskey } from '#web/lib/passkeys/browser-passkeys.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem, wasCancelled } from '#web/lib/requests/api-problem.ts'
import { failureText, useTexts } from '#web/lib/texts/texts.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Adds a key: a challenge of the server, the browser's dialog, and back. */
export function useAddPasskey() {
  const { t } = useTranslation()
  const shown = useTexts()
  const client = useQueryClient()
  const [busy, setBusy] = useState<PasskeyKind>()
  const [problem, setProblem] = useState<string>()
  const [added, setAdded] = useState(false)

  const add = async (kind: PasskeyKind) => {
    setProblem(undefined)
    if (!knowsPasskeys()) return setProblem(t('passkeyBrowserTooOld'))
    setBusy(kind)
    try {
      const options = await call(passkeys.begin, { input: { kind } })
      const { name } = await call(passkeys.create, { input: { credential: (await makePasskey(options)) as never } })
      toasts.show({ tone: 'success', title: t('passkeyAdded'), content: name })
      setAdded(true)
      await client.invalidateQueries()
    } catch (error) {
      if (wasCancelled(error)) return
      if (error instanceof ApiProblem) return setProblem(failureText(error, shown))
      const fault = faultOfMaking(error)
      if (fault) setProblem(t(fault))
    } finally {
      setBusy(undefined)
    }
  }
  return { add, busy, problem, added }
}
