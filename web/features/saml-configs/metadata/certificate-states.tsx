import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { certificateText } from '#contract/saml-configs/saml-certificates.ts'
import { type SamlConfigDetails, samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { call } from '#web/lib/requests/api.ts'
import { Certificates } from '#web/lib/saml/certificates.tsx'
import { useSay } from '#web/lib/saml/use-say.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import styles from '../saml-configs.module.css'

interface CertificateStatesProps {
  /** As it stands in the field. */
  text: string
  saved: SamlConfigDetails | undefined
}

/** What the server reads in the certificates of the field, a moment after the last key. */
export function CertificateStates({ text, saved }: CertificateStatesProps) {
  const say = useSay()
  const language = useLanguage()
  const certificate = useSettled(text.trim())
  // A text that the form refuses, such as a private key, is not sent.
  const sendable = certificateText.safeParse(certificate).success
  const { data = [] } = useQuery({
    queryKey: [samlConfigs.checkCertificates.url, certificate],
    queryFn: ({ signal }) => call(samlConfigs.checkCertificates, { input: { certificate }, signal }),
    enabled: sendable,
    staleTime: Number.POSITIVE_INFINITY,
    initialData: certificate === saved?.certificate ? saved.certificates : undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <div aria-live="polite" className={styles.states}>
      {sendable && <Certificates states={data} say={say} language={language} />}
    </div>
  )
}

const pause = 400

/** The value, once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
