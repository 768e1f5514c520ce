// The public interface of this room: when certificates end.
import { X509Certificate } from 'node:crypto'
import type { CertificateEnd } from '#contract/system.ts'
import type { BankId } from '#server/bankid/bankid.ts'
import { listCertificateEnds } from '#server/features/saml-configs/saml-configs.ts'
import type { System } from '#server/platform/system.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'

interface Sources extends Pick<System, 'db' | 'keys'> {
  bankid: Pick<BankId, 'certificateEnds'> | undefined
}

/** Every certificate that the portal uses, the one that ends first first. */
export async function listCertificates({ db, keys, bankid }: Sources): Promise<CertificateEnd[]> {
  const own = (kind: 'bankid' | 'samlSigning', ends: Date): CertificateEnd => ({
    kind,
    samlConfigId: null,
    name: null,
    endsAt: ends.toISOString(),
  })
  const saml = loadSigningKeys(keys).map(({ certificate }) => new X509Certificate(Buffer.from(certificate, 'base64')))
  const companies = await listCertificateEnds(db)
  return [
    ...(bankid?.certificateEnds ? [own('bankid', bankid.certificateEnds)] : []),
    ...saml.map(({ validToDate }) => own('samlSigning', validToDate)),
    ...companies.map(({ id, name, validTo }) => ({
      kind: 'samlConfig' as const,
      samlConfigId: id,
      name,
      endsAt: validTo,
    })),
  ].sort((one, other) => one.endsAt.localeCompare(other.endsAt))
}
