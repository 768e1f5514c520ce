import { useEffect, useRef, useState } from 'react'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { BackLink } from '../frame/back-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { bankIdAddress, cancelOrder } from './bankid-calls.ts'
import { deviceOf } from './bankid-launch.ts'
import { BankIdStage } from './bankid-stage.tsx'
import { type BankIdTexts, useBankIdTexts } from './bankid-texts.ts'
import { viewOf } from './bankid-view.ts'
import { type Device, useOrder } from './use-order.ts'
import { whenVisible } from './when-visible.ts'

/** Where a sign-in begins again whose interaction is over: the server leads to the e-mail step. */
const beginAgain = (uid: string, emailParameter: string) =>
  location.replace(`/interaction/${uid}/login?email=${emailParameter}`)

/** A code for the phone, or the app on this device; followed until the person is known, and then sent as a form. */
export function BankIdStep({ texts: firstTexts }: { texts: BankIdTexts }) {
  const { t, title, data, language } = usePublicPage()
  const texts = useBankIdTexts(firstTexts, language)
  const onPhone = deviceOf(navigator) !== 'computer'
  /** On a phone most people want the app that is on it. */
  const usual: Device = onPhone ? 'this' : 'other'
  const [device, setDevice] = useState(usual)
  const [opened, setOpened] = useState<string>()
  const { progress, start } = useOrder({
    uid: data.uid,
    email: data.email,
    mistake: data.error || undefined,
    device,
    opened: opened !== undefined,
    onGone: () => beginAgain(data.uid, data.emailParameter),
  })
  const over = progress.name === 'over'
  useErrorInTitle(over)

  const form = useRef<HTMLFormElement>(null)
  const done = progress.name === 'done'
  useEffect(() => {
    if (!done) return
    const submit = () => form.current?.submit()
    // On this device the app has led back to a page of its own, which ends the sign-in: not the one behind it as well.
    const cancel = device === 'this' ? whenVisible(document, submit) : submit()
    // Brought back as it was left, the page would wait for what has happened.
    const refresh = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload()
    }
    addEventListener('pageshow', refresh)
    return () => {
      cancel?.()
      removeEventListener('pageshow', refresh)
    }
  }, [done, device])

  const begin = (chosen: Device) => {
    setDevice(chosen)
    setOpened(undefined)
    void start(chosen)
  }
  return (
    <AuthCard title={title}>
      <form
        ref={form}
        method="post"
        action={bankIdAddress(data.uid)}
        // Enter in the field sends nothing before the person is known.
        onSubmit={(event) => event.preventDefault()}
      >
        <Field label={t('email')} id="email">
          <TextInput type="email" name="email" autoComplete="username" readOnly value={data.email} />
        </Field>
      </form>
      <BankIdStage
        view={viewOf(progress, { onPhone, device, opened })}
        texts={texts}
        problem={over ? progress.problem : undefined}
        phoneApp={progress.name === 'running' ? progress.state.phoneApp : null}
        opensItself={!onPhone && opened === undefined}
        onOpen={setOpened}
        onDevice={begin}
        onTryAgain={() => begin(usual)}
      >
        <BackLink
          label={over ? t('back') : texts.cancel}
          onLeave={() => {
            if (!over) void cancelOrder(data.uid)
          }}
        />
      </BankIdStage>
    </AuthCard>
  )
}
