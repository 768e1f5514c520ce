import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeys } from '#contract/passkeys/passkeys.ts'
import { knowsPasskeys, makePasskey } from '#web/lib/passkeys/browser-passkeys.ts'
import { OfferCodes } from '#web/lib/recovery-codes/offer-codes.tsx'
import { call } from '#web/lib/requests/api.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { useAddPasskey } from './use-add-passkey.ts'

/** After a sign-in: offers a passkey to who has none, until they say "not now" or have one. */
export function OfferPasskey() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const found = useQuery({
    ...query(passkeys.list),
    enabled: knowsPasskeys() && !me.passwordMustChange,
    // An offer is worth no further question.
    refetchOnWindowFocus: false,
  })
  const adding = useAddPasskey()
  const notNow = useSave(passkeys.notNow)
  useMakeOnTheWay(found.data?.makeOnTheWay ?? false)
  // Once there is one, the offer is over.
  if (adding.added) return <OfferCodes />
  if (!found.data?.offer) return null
  return (
    <>
      <Alert
        tone="info"
        title={t('offerPasskeyTitle')}
        action={
          <>
            <Button size="small" loading={adding.busy !== undefined} onClick={() => void adding.add('passkey')}>
              {t('addPasskey')}
            </Button>
            <Button size="small" loading={notNow.isPending} onClick={() => notNow.mutate({ input: {} })}>
              {t('notNow')}
            </Button>
          </>
        }
      >
        {t('offerPasskeyText')}
      </Alert>
      {adding.problem && (
        <Alert tone="danger" live="alert">
          {adding.problem}
        </Alert>
      )}
    </>
  )
}

/**
 * Lets the browser make a passkey by itself, where its password manager has just filled in the password (conditional create).
 * It decides alone, and says so; the server remembers that it was asked.
 */
function useMakeOnTheWay(wanted: boolean): void {
  const [begun, setBegun] = useState(false)
  useEffect(() => {
    if (!wanted || begun) return
    setBegun(true)
    void makeOnTheWay().catch(() => undefined)
  }, [wanted, begun])
}

async function makeOnTheWay(): Promise<void> {
  const can = await PublicKeyCredential.getClientCapabilities?.()
  if (!can?.conditionalCreate) return
  const options = await call(passkeys.begin, { input: { kind: 'passkey', onTheWay: true } })
  const credential = await makePasskey(options, 'conditional')
  await call(passkeys.create, { input: { credential: credential as never } })
}
