import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ChangedByOthers } from '#web/lib/forms/changed-by-others.tsx'
import { FormProblems } from '#web/lib/forms/form-problems.tsx'
import { LeaveGuard } from '#web/lib/forms/leave-guard.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { type SignInTab, signInSearch } from '../services-search.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import styles from './client.module.css'
import { ConnectFields } from './client-fields.tsx'
import { ClientPanel } from './client-panel.tsx'
import { ClientSecrets, NewSecret } from './client-secrets.tsx'
import { DeveloperValues } from './developer-values.tsx'
import type { ServiceWithClient } from './read-service.ts'
import { SignInState } from './sign-in-state.tsx'
import { SignOutFields } from './sign-out-fields.tsx'
import { SignOuts } from './sign-outs.tsx'
import { tabOfField } from './tab-of-field.ts'
import { TestLogout } from './test-logout.tsx'
import { TrySignIn } from './try-sign-in.tsx'
import { useClientForm } from './use-client-form.ts'
import { useTrial } from './use-trial.ts'

const route = getRouteApi('/services/$serviceId/sign-in')

/** One form over three tabs, and a trial of what is saved. */
export function ServiceSignIn({ service: { serviceId, name }, client }: ServiceWithClient) {
  const { t } = useTranslation()
  const { tab: asked = 'connect', kind: newKind } = route.useSearch()
  const [tab, setTab] = useState<SignInTab>(asked)
  const navigate = route.useNavigate()
  const tryButton = useRef<HTMLButtonElement>(null)
  // All panels stay mounted, so a change of tab loses no unsaved changes and needs no question.
  const choose = (next: SignInTab) => {
    setTab(next)
    const search = (before: object) => signInSearch({ ...before, tab: next })
    void navigate({ search, replace: true, ignoreBlocker: true })
  }
  const { form, newSecret, showSecret, question } = useClientForm(serviceId, client, {
    newKind,
    onSaved: (isNew) => isNew && tryButton.current?.focus(),
  })
  const running = useTrial(serviceId, client)
  const kind = useWatch({ control: form.form.control, name: 'kind' })
  const saved = client.clientId !== null
  const startTrial = () => {
    choose('developers')
    running.start()
  }
  const [answered, setAnswered] = useState(0)
  const [first] = form.errors
  // Set during rendering, so that the field can take the focus when it moves there.
  if (first && form.refusals !== answered) {
    setAnswered(form.refusals)
    setTab(tabOfField(first.name))
  }
  const errorsIn = (of: SignInTab) => {
    const count = of === tab ? 0 : form.errors.filter((error) => tabOfField(error.name) === of).length
    return { count, text: t('tabErrors', { count }) }
  }
  const signsPeopleIn = kind !== 'none' && kind !== 'machine'
  return (
    <div className={styles.stack}>
      <SignInState
        client={client}
        isToBe={kind !== 'none'}
        trying={running.trying}
        onTry={startTrial}
        button={tryButton}
      />
      <ChangedByOthers form={form} />
      <FormProblems form={form} reveal={(field) => choose(tabOfField(field))} />
      <div>
        <Tabs
          label={t('serviceSignIn')}
          value={tab}
          onChange={(next) => choose(next as SignInTab)}
          tabs={[
            {
              value: 'connect',
              label: t('connectTab'),
              errors: errorsIn('connect'),
              panel: (
                <ClientPanel form={form}>
                  <ConnectFields form={form} />
                  <ClientSecrets serviceId={serviceId} client={client} onMade={showSecret} />
                </ClientPanel>
              ),
            },
            {
              value: 'developers',
              label: t('developersAndTryTab'),
              panel: (
                <div className={styles.panel}>
                  <div className={styles.stack}>
                    {saved && <TrySignIn running={running} client={client} />}
                    <DeveloperValues client={client} />
                  </div>
                </div>
              ),
            },
            {
              value: 'signOuts',
              label: t('signOutsTab'),
              errors: errorsIn('signOuts'),
              panel: (
                <div className={styles.stack}>
                  {signsPeopleIn ? (
                    <ClientPanel form={form}>
                      <SignOutFields
                        form={form}
                        logoutTest={client.backchannelLogoutUri && <TestLogout serviceId={serviceId} />}
                      />
                    </ClientPanel>
                  ) : (
                    <p>{t('signOutsNone')}</p>
                  )}
                  {saved && signsPeopleIn && tab === 'signOuts' && (
                    <div className={styles.panel}>
                      <SignOuts serviceId={serviceId} inBrowser={client.frontchannelLogoutUri !== null} />
                    </div>
                  )}
                </div>
              ),
            },
            {
              value: 'advanced',
              label: t('advancedTab'),
              errors: errorsIn('advanced'),
              panel:
                kind === 'none' ? (
                  <p>{t('advancedNone')}</p>
                ) : (
                  <ClientPanel form={form}>
                    <AdvancedFields form={form} kind={kind} />
                  </ClientPanel>
                ),
            },
          ]}
        />
      </div>
      <LeaveGuard dirty={form.dirty} />
      {newSecret && <NewSecret secret={newSecret} onClose={() => showSecret(undefined)} next={tryButton} />}
      <ConfirmDialog
        open={Boolean(question)}
        title={t('removeClientTitle')}
        cancelLabel={t('cancel')}
        confirmLabel={t('remove')}
        onCancel={() => question?.answer(false)}
        onConfirm={() => question?.answer(true)}
      >
        {t('removeClientText', { name })}
      </ConfirmDialog>
    </div>
  )
}
