// The public interface of this room: when certificates end, and what could not be sent.
import { X509Certificate } from 'node:crypto'
import type { CertificateEnd } from '#contract/system/system.ts'
import type { BankId } from '#server/bankid/bankid.ts'
import { listCertificateEnds } from '#server/features/saml-configs/saml-configs.ts'
import type { System } from '#server/platform/system.ts'
import { loadDecryptionKeys, loadSigningKeys } from '#server/saml/signing-keys.ts'
import * as repository from './system.repository.ts'

interface Sources extends Pick<System, 'db' | 'keys'> {
  bankid: Pick<BankId, 'certificateEnds'> | undefined
}

/** Every certificate that the portal uses, the one that ends first first. */
export async function listCertificates({ db, keys, bankid }: Sources): Promise<CertificateEnd[]> {
  const own = (kind: 'bankid' | 'samlSigning' | 'samlEncryption', ends: Date): CertificateEnd => ({
    kind,
    samlConfigId: null,
    name: null,
    endsAt: ends.toISOString(),
  })
  const endOf = ({ certificate }: { certificate: string }) =>
    new X509Certificate(Buffer.from(certificate, 'base64')).validToDate
  const companies = await listCertificateEnds(db)
  return [
    ...(bankid?.certificateEnds ? [own('bankid', bankid.certificateEnds)] : []),
    ...loadSigningKeys(keys).map((one) => own('samlSigning', endOf(one))),
    ...loadDecryptionKeys(keys).map((one) => own('samlEncryption', endOf(one))),
    ...companies.map(({ id, name, validTo }) => ({
      kind: 'samlConfig' as const,
      samlConfigId: id,
      name,
      endsAt: validTo,
    })),
  ].sort((one, other) => one.endsAt.localeCompare(other.endsAt))
}

/** How many messages could not be sent lately, without invitations. */
export const countFailedMessages = repository.countFailedMessages
