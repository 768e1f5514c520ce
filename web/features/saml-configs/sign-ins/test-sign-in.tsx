import { useMutation } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import FlaskConical from 'lucide-react/icons/flask-conical'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { SchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import styles from '../saml-configs.module.css'

interface TestSignInProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  schema: z.ZodMiniType<Values, Draft>
  /** Asks the server for the address where the test begins. */
  begin: (values: Values) => Promise<{ url: string }>
}

/** Tries the values of the form in a new tab. */
export function TestSignIn<Draft extends FieldValues, Values>({ form, schema, ...of }: TestSignInProps<Draft, Values>) {
  const { t } = useTranslation()
  const begin = useMutation({
    mutationFn: of.begin,
    onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener'),
    meta: { inline: true },
  })
  const start = () => {
    const draft = schema.safeParse(form.form.getValues())
    if (draft.success) return begin.mutate(draft.data)
    // Shows what is wrong; a form with mistakes is not sent.
    form.submit()
  }
  return (
    <FieldGroup legend={t('samlTest')} hint={t('samlTestHint')}>
      <div className={styles.sources}>
        <Button icon={FlaskConical} loading={begin.isPending} onClick={start}>
          {t('samlTestBegin')}
        </Button>
      </div>
      <div aria-live="polite" className={styles.read}>
        {begin.error && <Alert tone="danger">{testProblemText(begin.error)}</Alert>}
        {begin.data && (
          <Alert
            tone="info"
            action={
              <LinkButton size="small" icon={ExternalLink} href={begin.data.url} target="_blank" rel="noreferrer">
                {t('samlTestOpen')}
              </LinkButton>
            }
          >
            {t('samlTestOpened')}
          </Alert>
        )}
      </div>
    </FieldGroup>
  )
}

/** Why a test could not begin. */
export const testProblemText = (error: Error) =>
  messageText(error instanceof ApiProblem ? (error.issues[0]?.message ?? error.message) : error.message)
