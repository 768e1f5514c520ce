import type { WatchedMetadata } from '#contract/saml-configs/saml-metadata.ts'
import type { MetadataWatch, samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { OutgoingFailure } from '#server/platform/outgoing/outgoing-failure.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { auditedConfig } from './audited-config.ts'
import { describeCertificates, summarizeCertificates } from './certificate-states.ts'
import { checkForm } from './check-form.ts'
import { checkSigner, fetchMetadata } from './fetch-metadata.ts'
import { findWatch, removeWatch, saveWatch, updateCertificate, type Watch } from './metadata-watches.repository.ts'
import { listNew, listToConfirm, readWatched } from './read-watched-metadata.ts'
import { findSamlConfig, findSamlConfigForUpdate, ofSaml } from './saml-configs.repository.ts'

export const metadataAddressHandlers: Handlers<typeof samlMetadataAddress> = {
  fetch: ({ outgoing, input, now }) => {
    checkSigner(input.signer)
    return fetchMetadata(outgoing, input, { now })
  },
  list: async ({ db }) => listToConfirm(db),
  read: async ({ db, params, now }) => {
    const { id } = found(ofSaml(await findSamlConfig(db, Number(params.id))))
    return described(await findWatch(db, id), now)
  },
  watch: async ({ db, params, input, config, outgoing, now, audit }) => {
    const { address } = input
    const samlConfig = found(ofSaml(await findSamlConfigForUpdate(db, Number(params.id))))
    const watched = await findWatch(db, samlConfig.id)
    const [before, signedBy] = [watched?.address ?? null, watched?.signer ?? null]
    const signer = address === null ? null : input.signer === undefined ? signedBy : input.signer
    if (address !== null) checkWatch({ config, outgoing }, { address, signer })
    if (address !== before || signer !== signedBy) {
      await (address === null ? removeWatch(db, samlConfig.id) : saveWatch(db, samlConfig.id, { address, signer }))
      const { target } = auditedConfig(samlConfig)
      audit({
        name: 'updateSamlConfig',
        target,
        before: auditedWatch(before === null ? undefined : { address: before, signer: signedBy }),
        after: auditedWatch(address === null ? undefined : { address, signer }),
      })
    }
    return described(await findWatch(db, samlConfig.id), now)
  },
  refresh: async ({ db, params, outgoing, now }) => {
    const watch = found(await findWatch(db, Number(params.id)))
    await readWatched({ db, outgoing, now }, watch)
    return described(await findWatch(db, watch.samlConfigId), now)
  },
  confirm: async ({ db, params, input, config, audit }) => {
    const before = found(await findSamlConfigForUpdate(db, Number(params.id)))
    checkVersion(before, input.version)
    const offered = listNew(found(await findWatch(db, before.id)))
    const added = input.fingerprints.map((fingerprint) => offered.get(fingerprint))
    // The metadata was read again and no longer has what the super user saw.
    if (added.includes(undefined)) throw new Problem(409, 'changedByOthers')
    const certificate = [before.certificate.trim(), ...added.map((pem) => pem?.trim())].join('\n')
    checkForm(config, { ...before, certificate })
    await updateCertificate(db, before.id, certificate)
    const after = found(await findSamlConfig(db, before.id))
    audit({ name: 'updateSamlConfig', ...auditedConfig(after), before: auditedConfig(before).after })
    return after
  },
}

/** @param at what stands before the fields in the paths of problems @throws Problem 422 for what cannot be watched */
export function checkWatch(
  { config, outgoing }: Pick<RequestContext, 'config' | 'outgoing'>,
  { address, signer }: WatchedMetadata,
  at = '',
): void {
  const path = `${at}address`
  checkSigner(signer, at)
  refuseInsecureUrls(config, { [path]: address }, [path])
  try {
    outgoing.check(address)
  } catch (cause) {
    if (!(cause instanceof OutgoingFailure)) throw cause
    throw new Problem(422, 'validationFailed', { issues: [{ path, message: cause.key }], cause })
  }
}

/** What an audit event says of a watched address. */
export const auditedWatch = (watch: WatchedMetadata | undefined) => ({
  metadataAddress: watch?.address ?? null,
  metadataSigner: watch?.signer ? summarizeCertificates(watch.signer) : null,
})

const described = (watch: Watch | undefined, now: Date): MetadataWatch => ({
  address: watch?.address ?? null,
  signer: watch?.signer ?? null,
  checkedAt: watch?.checkedAt?.toISOString() ?? null,
  problem: watch?.problem ?? null,
  newCertificates: watch ? [...listNew(watch).values()].flatMap((pem) => describeCertificates(pem, now)) : [],
})
