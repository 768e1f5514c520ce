import type { Kysely } from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { Problem } from '#server/platform/problem.ts'
import { readCertificates } from '#server/saml/certificates.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { mailSuperUsers } from './mail-super-users.ts'
import { findWatch, listWatches, recordRead, type Watch } from './metadata-watches.repository.ts'

interface Options {
  db: Db
  outgoing: Outgoing
  now: Date
}

/** Reads the metadata at a watched address. Nothing that it says is used before a super user has confirmed it. */
export async function readWatched({ db, outgoing, now }: Options, watch: Watch): Promise<void> {
  try {
    const { address, entityId, signer } = watch
    const { provider } = await fetchMetadata(outgoing, { address, entityId: entityId ?? undefined, signer }, { now })
    if (!provider || provider.entityId !== entityId) throw new Problem(422, 'metadataOtherEntity')
    await recordRead(db, watch, { checkedAt: now, problem: null, certificates: provider.certificate })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const problem = error.issues?.[0]?.message ?? error.key
    // A document of one entity is another one's.
    const known = problem === 'metadataNoEntity' ? 'metadataOtherEntity' : problem
    await recordRead(db, watch, { checkedAt: now, problem: known })
  }
}

/** The certificates of the metadata that the configuration does not have, as PEM, by fingerprint. */
export function listNew({
  certificate,
  certificates,
}: Pick<Watch, 'certificate' | 'certificates'>): Map<string, string> {
  const known = new Set(byFingerprint(certificate).keys())
  return new Map([...byFingerprint(certificates)].filter(([fingerprint]) => !known.has(fingerprint)))
}

/** Configurations whose metadata has a certificate to confirm, or could not be read. */
export const listToConfirm = async (db: Db) =>
  (await listWatches(db))
    .map((watch) => ({
      ...{ id: watch.samlConfigId, name: watch.name, problem: watch.problem },
      newCertificates: listNew(watch).size,
    }))
    .filter(({ newCertificates, problem }) => newCertificates > 0 || problem !== null)

const byFingerprint = (text: string) =>
  new Map(
    readCertificates(text).flatMap(({ certificate, usable }) =>
      certificate && usable ? [[certificate.fingerprint256, certificate.toString()] as const] : [],
    ),
  )

/** Reads one address, and tells the super users of certificates that it did not have the last time. */
async function readAndTell({ db, outbox, outgoing, now }: Options & { outbox: Outbox }, watch: Watch): Promise<void> {
  await readWatched({ db, outgoing, now }, watch)
  const after = await findWatch(db, watch.samlConfigId)
  const before = listNew(watch)
  if (!after || [...listNew(after).keys()].every((fingerprint) => before.has(fingerprint))) return
  const path = `/saml-configuration/${watch.samlConfigId}`
  await mailSuperUsers(db, outbox, 'sign-in-to-check', { what: 'certificate', name: watch.name, path })
}

/** Reads all watched addresses once a day. */
export const createSamlMetadataJob = ({
  db,
  outbox,
  outgoing,
  clock,
}: {
  db: Kysely<DB>
  outbox: Outbox
  outgoing: Outgoing
  clock: Clock
}): RecurringJob => ({
  name: 'saml-metadata',
  cron: '41 4 * * *',
  run: async () => {
    for (const watch of await listWatches(db)) await readAndTell({ db, outbox, outgoing, now: clock() }, watch)
  },
})
