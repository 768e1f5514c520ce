import { useEffect, useState } from 'react'
import type { OpenDirectory } from '#contract/saml-setups/saml-setups.ts'
import { directoryGuides, otherDirectoryGuide } from '#web/lib/saml/directory-guides.ts'
import { otherProduct, ProviderGuide } from '#web/lib/saml/provider-guide.tsx'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { createSetupToken, findSetupDirectory } from '../frame/calls.ts'
import styles from './setup.module.css'
import { Step, type StepProps, useSending } from './step.tsx'

const askEvery = 5000

/** A token for the directory, what to do there, and whether it has called. */
export function DirectoryStep({ step, directory }: { step: StepProps; directory: OpenDirectory }) {
  const { setup, token, say, onChanged, onInvalid } = step
  const [product, setProduct] = useState<string>()
  const [made, setMade] = useState('')
  const { send, sending, problem } = useSending({ textOf: step.textOf, onInvalid })
  const { address, tokens, full } = directory
  const changed = (next: OpenDirectory) => onChanged({ ...setup, directory: next })
  const waits = tokens.some(({ lastUsedAt }) => lastUsedAt === null)
  useEffect(() => {
    if (!waits) return
    // What fails is asked again: the next answer says it.
    const ask = () => void findSetupDirectory({ token }).then(changed, () => undefined)
    const timer = setInterval(() => document.visibilityState === 'visible' && ask(), askEvery)
    return () => clearInterval(timer)
  })
  const create = () =>
    send(
      () => createSetupToken({ token, name: product && product !== otherProduct ? product : 'SCIM' }),
      ({ made, directory: next }) => {
        setMade(made)
        changed(next)
      },
    )
  const labels = { copyLabel: say('copy'), copiedLabel: say('copied') }
  const guides = directoryGuides(address)
  return (
    <Step title={say('setupStepDirectory')}>
      {setup.signIn && <p>{say('setupDirectoryHint')}</p>}
      <p>{say('setupDirectoryProduct')}</p>
      <RadioCards
        legend={say('setupDirectoryWhich')}
        value={product ?? null}
        onChange={setProduct}
        options={[
          ...Object.keys(guides).map((name) => ({ value: name, label: name })),
          { value: otherProduct, label: say('samlGuideOther') },
        ]}
      />
      <CopyField {...labels} label={say('scimAddress')} value={address} />
      <div aria-live="polite" className={styles.found}>
        {made && (
          <>
            <Alert tone="warn">{say('scimTokenOnce')}</Alert>
            <CopyField {...labels} label={say('scimToken')} value={made} />
          </>
        )}
      </div>
      {full ? (
        <p>{say('setupDirectoryFull')}</p>
      ) : (
        product !== undefined && (
          <div className={styles.buttons}>
            <Button variant={made ? 'secondary' : 'primary'} loading={sending} onClick={() => void create()}>
              {say('scimCreateToken')}
            </Button>
          </div>
        )
      )}
      <div role="alert" className={styles.found}>
        {problem && <Alert tone="danger">{problem}</Alert>}
      </div>
      {product !== undefined && (
        <ProviderGuide
          product={product}
          guides={guides}
          otherGuide={otherDirectoryGuide(address)}
          say={say}
          hint={say('setupDirectoryProduct')}
        />
      )}
      <Calls tokens={tokens} step={step} />
    </Step>
  )
}

/** What has come from the directory, by each token of this link. */
function Calls({ tokens, step: { say, language } }: { tokens: OpenDirectory['tokens']; step: StepProps }) {
  return (
    <div role="status" className={styles.found}>
      {tokens.map(({ name, createdAt, expiresAt, lastUsedAt }) => (
        <Alert
          key={createdAt}
          tone={lastUsedAt ? 'ok' : 'info'}
          title={
            lastUsedAt
              ? say('setupDirectoryCalled', { name, time: dateTimeText(lastUsedAt, language) })
              : say('setupDirectoryWaiting', { name })
          }
        >
          {say('setupDirectoryExpires', { time: dateTimeText(expiresAt, language) })}
        </Alert>
      ))}
    </div>
  )
}
