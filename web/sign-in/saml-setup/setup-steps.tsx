import { useState } from 'react'
import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import type { OpenSetup } from '#contract/saml-setups/saml-setups.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import type { OpenLink } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { translator } from '../frame/texts.ts'
import { usePartTexts } from '../frame/use-part-texts.ts'
import { DirectoryStep } from './directory-step.tsx'
import { HandInStep } from './hand-in-step.tsx'
import { MetadataStep } from './metadata-step.tsx'
import { ProviderStep } from './provider-step.tsx'
import styles from './setup.module.css'
import { loadSetupTexts, type SetupTexts } from './setup-texts.ts'
import type { StepProps } from './step.tsx'
import { TestStep } from './test-step.tsx'
import { ValuesStep } from './values-step.tsx'

interface SetupStepsProps extends OpenLink {
  setup: OpenSetup
  texts: SetupTexts
}

/** Our values, their metadata, a test, and handing it in. */
export function SetupSteps({ setup: found, texts: first, token, onInvalid }: SetupStepsProps) {
  const { language, messageText: commonText } = usePublicPage()
  const texts = usePartTexts(loadSetupTexts, first, language)
  const say = translator(texts)
  const [setup, setSetup] = useState(found)
  const step: StepProps = {
    setup,
    token,
    say,
    language,
    textOf: (key, detail = '') =>
      Object.hasOwn(texts, key) ? say(key as keyof SetupTexts, { detail }) : commonText(key),
    onChanged: setSetup,
    onInvalid,
  }
  const [kind, setKind] = useState<SamlConfigKind>(found.draft?.kind ?? 'saml')
  const { organizationName, expiresAt, state, signIn, directory, serviceProvider } = setup
  return (
    <AuthCard
      wide
      title={say(signIn ? 'setupTitle' : 'setupDirectoryTitle', { name: organizationName })}
      intro={
        state === 'approved'
          ? undefined
          : say(signIn ? 'setupIntro' : 'setupDirectoryIntro', { time: dateTimeText(expiresAt, language) })
      }
    >
      <Status {...step} />
      {serviceProvider && state !== 'approved' && (
        <>
          <ValuesStep step={step} serviceProvider={serviceProvider} kind={kind} onChoose={setKind} />
          {kind === 'oidc' ? <ProviderStep {...step} /> : <MetadataStep {...step} />}
          <TestStep {...step} kind={kind} />
          <HandInStep {...step} kind={kind} />
        </>
      )}
      {directory && <DirectoryStep step={step} directory={directory} />}
    </AuthCard>
  )
}

/** What became of the draft. */
function Status({ setup, say, language }: StepProps) {
  const { state, handedInAt, rejection, directory, expiresAt } = setup
  return (
    <div role="status" className={styles.found}>
      {state === 'approved' && (
        <Alert tone="ok" title={say('setupApproved')}>
          {directory
            ? say('setupApprovedDirectory', { time: dateTimeText(expiresAt, language) })
            : say('setupApprovedText')}
        </Alert>
      )}
      {state === 'handedIn' && handedInAt && (
        <Alert tone="ok" title={say('setupHandedIn', { time: dateTimeText(handedInAt, language) })}>
          {say('setupHandedInText')}
        </Alert>
      )}
      {state === 'open' && rejection && (
        <Alert tone="warn" title={say('setupSentBack')}>
          {rejection}
        </Alert>
      )}
    </div>
  )
}
