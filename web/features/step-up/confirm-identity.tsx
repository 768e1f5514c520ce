import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#contract/route.ts'
import { type Method, signInMethods } from '#contract/sign-in-methods.ts'
import { freshProof, type ProofStep } from '#contract/step-up/fresh-proof.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import type { ProofFor } from '#web/lib/requests/confirm-identity.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { request } from '#web/lib/requests/request.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { ConfirmByPasskey } from './confirm-by-passkey.tsx'
import { ConfirmByPassword } from './confirm-by-password.tsx'
import { ConfirmByRecoveryCode } from './confirm-by-recovery-code.tsx'
import { ConfirmElsewhere } from './confirm-elsewhere.tsx'
import { EnterByCode } from './enter-by-code.tsx'

interface ConfirmIdentityProps {
  wanted: ProofFor
  /** With false the person does not want to. */
  onSettled: (confirmed: boolean) => void
}

const purposeOf = (wanted: ProofFor) => (wanted === 'number' ? 'factor' : wanted)

/**
 * Does not leave for the sign-in: a proof in another window gives the session a new id while this look is on its way, which is
 * then answered with 401. The next look has the new id.
 */
async function look(wanted: ProofFor): Promise<AnswerOf<typeof freshProof.read>> {
  const { url, answer } = freshProof.read
  const response = await request('GET', wanted ? `${url}?for=${purposeOf(wanted)}` : url, {
    headers: { accept: 'application/json' },
  })
  return answer.parse(await response.json())
}

const proofFor = (wanted: ProofFor) => ({
  ...freshQuery(freshProof.read, { query: { for: purposeOf(wanted) } }),
  queryFn: () => look(wanted),
})
/** Milliseconds between two looks whether a proof in another window is done. */
const lookEvery = 2000

/** Before a dangerous act: the next step that proves once more who it is, until the proof is as strong as the account can give. */
export function ConfirmIdentity({ wanted, onSettled }: ConfirmIdentityProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const proof = proofFor(wanted)
  const query = useQuery({ ...proof, refetchInterval: lookEvery })
  const isFresh = query.data?.fresh
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as nothing more is asked
  useEffect(() => {
    if (isFresh) onSettled(true)
  }, [isFresh])
  const cancel = () => onSettled(false)
  return (
    <LoadingDialog query={query} size="confirm" title={t('confirmItIsYou')} onClose={cancel}>
      {({ fresh, steps }) =>
        fresh ? null : (
          <NextStep
            steps={steps}
            mayWait={wanted === 'number'}
            onDone={() => void client.invalidateQueries({ queryKey: proof.queryKey })}
            onCancel={cancel}
          />
        )
      }
    </LoadingDialog>
  )
}

interface NextStepProps {
  steps: readonly ProofStep[]
  /** What is asked for can be done later. */
  mayWait: boolean
  onDone: () => void
  onCancel: () => void
}

function NextStep({ steps, mayWait, onDone, onCancel }: NextStepProps) {
  const { t } = useTranslation()
  const { email } = useSignedIn().me
  const [recovering, setRecovering] = useState(false)
  const has = (part: Method['step']) => steps.some((step) => signInMethods[step].step === part)
  const text = t(mayWait ? 'confirmNumberText' : 'confirmIdentityText')
  const elsewhere = <ConfirmElsewhere steps={steps} email={email} />
  if (has('password'))
    return (
      <ConfirmByPassword email={email} onDone={onDone} onCancel={onCancel}>
        {elsewhere}
      </ConfirmByPassword>
    )
  return (
    <Dialog
      open
      size="confirm"
      title={t('confirmItIsYou')}
      closeLabel={t('close')}
      onClose={onCancel}
      footer={<Button onClick={onCancel}>{t(mayWait ? 'notNow' : 'cancel')}</Button>}
    >
      {recovering ? (
        <ConfirmByRecoveryCode onDone={onDone} />
      ) : (
        <FormGrid>
          {has('key') && <ConfirmByPasskey text={text} onDone={onDone} />}
          {(has('code') || has('message')) && (
            <EnterByCode
              text={text}
              hasApp={has('code')}
              hasMail={steps.includes('email')}
              hasPhoneNumber={steps.includes('sms')}
              onDone={onDone}
            />
          )}
          {has('recoveryCode') && (
            <FormActions>
              <Button onClick={() => setRecovering(true)}>{t('useRecoveryCode')}</Button>
            </FormActions>
          )}
          {elsewhere}
          {steps.length === 0 && <Alert tone="warn">{t('confirmNotPossible')}</Alert>}
        </FormGrid>
      )}
    </Dialog>
  )
}
