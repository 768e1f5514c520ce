import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert, type AlertTone } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import type { ReadClient } from './read-service.ts'

interface State {
  tone: AlertTone
  title: string
  text: string | undefined
}

/** How the sign-in of a service stands, in one line. @param isToBe it was said to be more than a link, and is not saved yet */
export function useSignInState({ kind, lastSignIn }: ReadClient, isToBe = false): State {
  const { t } = useTranslation()
  const language = useLanguage()
  const machine = kind === 'machine'
  if (kind === 'none' && isToBe) return { tone: 'warn', title: t('signInToSetUp'), text: t('signInToSetUpText') }
  if (kind === 'none') return { tone: 'info', title: t('signInNone'), text: t('signInNoneText') }
  if (lastSignIn === null)
    return { tone: 'warn', title: t(machine ? 'signInNoTokenYet' : 'signInNobodyYet'), text: t('signInNobodyYetText') }
  const values = { time: dateTimeText(lastSignIn, language) }
  return { tone: 'ok', title: t(machine ? 'signInLastToken' : 'signInLast', values), text: undefined }
}

interface SignInStateProps {
  client: ReadClient
  /** It is about to get a client. */
  isToBe: boolean
  trying: boolean
  onTry: () => void
  button: Ref<HTMLButtonElement>
}

/** At the top of the page: how the sign-in stands, and the one thing to do next. */
export function SignInState({ client, isToBe, trying, onTry, button }: SignInStateProps) {
  const { t } = useTranslation()
  const { tone, title, text } = useSignInState(client, isToBe)
  return (
    <Alert
      tone={tone}
      title={title}
      action={
        client.kind !== 'none' && (
          <Button
            ref={button}
            size="small"
            variant={client.lastSignIn === null ? 'primary' : 'secondary'}
            loading={trying}
            onClick={onTry}
          >
            {t('tryIt')}
          </Button>
        )
      }
    >
      {text}
    </Alert>
  )
}
