import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages.ts'
import { isCompany } from '#contract/login-methods.ts'
import type { Organization } from '#contract/organizations/organizations.ts'
import { LeaveGuard } from '#web/lib/forms/leave-guard.tsx'
import { PrivacyLink } from '#web/lib/forms/privacy-link.tsx'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { WayBack } from '#web/lib/way-back.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Card, FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { ConfirmImport } from './confirm-import.tsx'
import { ImportFailure } from './import-failure.tsx'
import { ImportResults } from './import-results.tsx'
import { MailLanguageField } from './mail-language-field.tsx'
import { PeopleField } from './people-field.tsx'
import { type ImportResult, useImport } from './use-import.ts'

/** The import: paste a list, check it row by row, confirm, see the result. Rejected rows stay in the list. */
export function ImportPeople({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const list = useImport(organization.organizationId)
  const { text, result, sending, error } = list
  const field = useRef<HTMLTextAreaElement>(null)
  const heading = useFocusOn(result)
  useErrorInTitle(list.problem !== undefined)

  const check = async () => {
    if (!(await list.check())) field.current?.focus()
  }
  const fresh = result !== undefined && !result.done && result.text === text
  const invited = result?.rows.filter(({ outcome }) => outcome === 'invited').length ?? 0
  return (
    <>
      <Card>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void check()
          }}
        >
          <FormGrid>
            <PeopleField ref={field} list={list} services={organization.services} />
            <Switch
              label={t(isCompany(organization.loginMethod) ? 'importGuests' : 'importConsultants')}
              hint={[
                isCompany(organization.loginMethod) && t('importGuestsHint'),
                organization.guestDays && t('guestEndsHint', { count: organization.guestDays }),
              ]
                .filter(Boolean)
                .join(' ')}
              checked={list.guest}
              onChange={(event) => list.setGuest(event.target.checked)}
            />
            <MailLanguageField
              value={list.language}
              onChange={({ target }) => list.setLanguage(target.value as Language)}
            />
            {!asking && <ImportFailure error={error} />}
            <FormActions>
              <Button
                type="submit"
                variant={fresh && invited > 0 ? 'secondary' : 'primary'}
                loading={sending && !asking}
              >
                {t(result && !result.done ? 'importCheckAgain' : 'importCheck')}
              </Button>
            </FormActions>
            <PrivacyLink />
          </FormGrid>
        </form>
      </Card>
      {result && (
        <ImportResults key={String(result.done)} result={result} headingRef={heading}>
          {result.done && (
            <Alert
              tone={invited > 0 ? 'ok' : 'info'}
              live="status"
              title={t('importDone', { count: invited })}
              action={<WayBack organizationId={organization.organizationId} button />}
            >
              {text !== '' && t('importLeftToCorrect')}
            </Alert>
          )}
          {!result.done && !fresh && (
            <Alert tone="info" live="status">
              {t('importChanged')}
            </Alert>
          )}
          {fresh && invited > 0 && (
            <FormActions>
              <Button variant="primary" onClick={() => setAsking(true)}>
                {t('importInvite', { count: invited })}
              </Button>
            </FormActions>
          )}
        </ImportResults>
      )}
      <ConfirmImport
        open={asking}
        organizationName={organization.name}
        invited={invited}
        leftOut={(result?.rows.length ?? 0) - invited}
        list={list}
        onClose={() => setAsking(false)}
      />
      <LeaveGuard dirty={text.trim() !== ''} />
    </>
  )
}

/** Moves the focus to the heading of a new result, and brings it into view. */
function useFocusOn(result: ImportResult | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!result) return
    // At the top: focus alone would leave the rows below the window.
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [result])
  return heading
}
