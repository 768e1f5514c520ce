import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { findSetup, handInSetup } from '../frame/calls.ts'
import styles from './setup.module.css'
import { Step, type StepProps, useSending } from './step.tsx'

/** Gives the draft to the operator. Where it was replaced in another tab, the page shows that one first. */
export function HandInStep(props: StepProps & { kind: SamlConfigKind }) {
  const { setup, token, say, onChanged } = props
  const { send, sending, problem } = useSending(props)
  const { draft, tested, state, version } = setup
  const handIn = async () => {
    try {
      return await handInSetup({ token, version })
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.message !== 'changedByOthers') throw error
      const found = await findSetup({ token })
      // Somebody has handed in, in another tab.
      if (found.state !== 'open') return found
      onChanged(found)
      throw new ApiProblem(409, 'setupChanged')
    }
  }
  const done = (changed: typeof setup) => {
    onChanged(changed)
    // Where it says that it is handed in.
    document.querySelector('h1')?.focus()
    scrollTo({ top: 0 })
  }
  return (
    <Step title={say('setupStepHandIn')}>
      <p>{say(draft ? 'setupHandInHint' : props.kind === 'oidc' ? 'setupNoProvider' : 'setupNoDraft')}</p>
      {draft && !tested?.passed && state === 'open' && <Alert tone="warn">{say('setupUntested')}</Alert>}
      <div role="alert" className={styles.found}>
        {problem && <Alert tone="danger">{problem}</Alert>}
      </div>
      {draft && state === 'open' && (
        <Button variant="primary" full loading={sending} onClick={() => void send(handIn, done)}>
          {say('setupHandIn')}
        </Button>
      )}
    </Step>
  )
}
