import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnMembership } from '#contract/session/session.ts'
import { LoadingFailure } from '#web/lib/requests/loaded.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { Card, FormActions, FormGrid, PageHeading } from '#web/ui/frame/page.tsx'
import { safePath } from './safe-path.ts'

const page = getRouteApi('/choose-organization')

/** A service asks for which organisation it is entered, and the person has it in several. */
export function ChooseOrganizationPage() {
  const { t } = useTranslation()
  const { returnTo, organizations: ids = '' } = page.useSearch()
  const { organizations, heldBack, failure } = useSignedIn()
  if (failure) return <LoadingFailure {...failure} />
  if (!organizations) return null
  const own = [...organizations, ...heldBack]
  const offered = ids.split(' ').flatMap((id) => own.filter((one) => one.organizationId === id))
  return (
    <>
      <PageHeading title={t('chooseOrganizationTitle')} subtitle={t('chooseOrganizationText')} />
      <Card narrow>
        {offered.length > 0 ? (
          <Choice offered={offered} returnTo={safePath(returnTo)} />
        ) : (
          <Alert tone="warn">{t('noOrganizationToChoose')}</Alert>
        )}
      </Card>
    </>
  )
}

function Choice({ offered, returnTo }: { offered: readonly OwnMembership[]; returnTo: string }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(offered[0]?.organizationId ?? '')
  const [going, setGoing] = useState(false)
  const options = offered.map(({ organizationId, name, organizationNumber, needs }) => ({
    value: organizationId,
    label: name,
    hint: [organizationNumber, needs && t('asksForMore')].filter(Boolean).join(' · ') || undefined,
  }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setGoing(true)
        const request = new URL(returnTo, location.origin)
        request.searchParams.set('organization_id', chosen)
        location.assign(request.pathname + request.search)
      }}
    >
      <FormGrid>
        <RadioCards legend={t('organization')} options={options} value={chosen} onChange={setChosen} />
        <FormActions>
          <Button type="submit" variant="primary" loading={going}>
            {t('continue')}
          </Button>
        </FormActions>
      </FormGrid>
    </form>
  )
}
