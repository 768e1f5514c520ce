import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { samlDomainForm, samlDomains } from '#contract/saml-configs/saml-domains.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from './domains.module.css'

/** Stands inside the form of the configuration, and is saved by itself. */
export function AddDomain({ params }: { params: { id: string } }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [mistake, setMistake] = useState<string>()
  const add = useSave(samlDomains.add, { inline: true })
  const submit = () => {
    const checked = samlDomainForm.safeParse({ domain: typed })
    setMistake(checked.error?.issues[0]?.message)
    if (checked.success && !add.isPending)
      add.mutate({ params, input: checked.data }, { onSuccess: () => setTyped('') })
  }
  const issue = mistake ?? (add.error instanceof ApiProblem ? add.error.issues[0]?.message : undefined)
  const refused = issue ? messageText(issue) : add.error ? problemText(add.error) : undefined
  return (
    <>
      <Field label={t('domainToAdd')} error={refused}>
        <TextInput
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={typed}
          onChange={(event) => {
            setMistake(undefined)
            add.reset()
            setTyped(event.target.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // It would save the configuration.
            event.preventDefault()
            submit()
          }}
        />
      </Field>
      <div className={styles.actions}>
        <Button loading={add.isPending} onClick={submit}>
          {t('addDomain')}
        </Button>
      </div>
    </>
  )
}
