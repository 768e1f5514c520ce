// The public interface of this room: whose certificates end, and what a test sign-in and a set-up link need.
import type { Db } from '#server/platform/database/database.ts'
import { readCertificates } from '#server/saml/certificates.ts'
import * as audited from './audited-config.ts'
import * as tests from './begin-test.ts'
import * as states from './certificate-states.ts'
import * as form from './check-form.ts'
import * as fetched from './fetch-metadata.ts'
import * as mails from './mail-super-users.ts'
import * as oidcHandlers from './oidc-configs.handlers.ts'
import * as oidc from './oidc-configs.repository.ts'
import * as prepared from './prepared-organizations.repository.ts'
import * as metadata from './read-metadata.ts'
import * as watched from './read-watched-metadata.ts'
import * as reservations from './reservations.repository.ts'
import * as reserved from './reservations.ts'
import * as repository from './saml-configs.repository.ts'
import * as domains from './saml-domains.repository.ts'
import * as configStates from './saml-states.repository.ts'
import * as testResults from './saml-test.repository.ts'

/** What can be said about the certificates in a text. */
export const describeCertificates = states.describeCertificates

/** Refuses values that could not be saved. */
export const checkForm = form.checkForm

export const findSamlConfig = repository.findSamlConfig
export const insertConfig = repository.insertConfig
export const samlFormOf = repository.samlFormOf

/** Whether a super user has reserved this number for a configuration that is not saved yet. */
export const isReserved = reservations.isReserved

/** Prepares a configuration for an organisation that has none. */
export const attachToOrganization = prepared.attachToOrganization

/** What an identity provider must know about this portal. */
export const serviceProviderOf = reserved.serviceProviderOf

/** How configurations stand. */
export const readStates = configStates.readStates

/** The mail domains that count for a configuration beside its own. */
export const listFurtherDomains = domains.listFurtherDomains

export const findOidcConfig = oidc.findOidcConfig
export const insertOidcConfig = oidc.insertOidcConfig
export const unsealClientSecret = oidc.unsealClientSecret
/** A secret goes to no other provider than the one that it was given for. */
export const keepSecretWithIssuer = oidcHandlers.keepSecretWithIssuer

/** What an audit event says of a configuration. */
export const auditedConfig = audited.auditedConfig

/** Begins a test sign-in at an identity provider, which signs nobody in. */
export const beginTest = tests.beginTest

/** A test sign-in that waits for its answer. */
export type SamlTest = testResults.SamlTest
export const consumeTest = testResults.consumeTest

/** What the answer to a test showed. */
export type Findings = testResults.Findings
export const keepResult = testResults.keepResult
export const findTestResult = testResults.findResult

/** Mails every super user, in their language. */
export const mailSuperUsers = mails.mailSuperUsers

/** Reads the metadata of an identity provider. */
export const readMetadata = metadata.readMetadata

/** Configurations whose metadata a super user has to look at. */
export const listToConfirm = watched.listToConfirm

/** Reads it at its address. */
export const fetchMetadata = fetched.fetchMetadata

export interface EndingCertificate {
  /** Of the configuration. */
  id: number
  name: string
  /** ISO 8601 */
  validTo: string
}

/** When the last certificate of each configuration ends; those without a readable one are left out. */
export async function listCertificateEnds(db: Db): Promise<EndingCertificate[]> {
  const configs = await repository.listCertificateTexts(db)
  return configs.flatMap(({ id, name, certificate }) => {
    const ends = readCertificates(certificate).flatMap(({ certificate: one }) => one?.validToDate ?? [])
    const last = Math.max(...ends.map((date) => date.getTime()))
    return Number.isFinite(last) ? [{ id, name, validTo: new Date(last).toISOString() }] : []
  })
}

/** Configurations of which no certificate is valid for long enough, the one that ends first first. */
export async function listEndingCertificates(db: Db, now: Date): Promise<EndingCertificate[]> {
  const configs = await repository.listCertificateTexts(db)
  return configs
    .flatMap(({ id, name, certificate }) => {
      const states = describeCertificates(certificate, now)
      // While an identity provider changes its key there are two: the later one counts.
      if (states.some(({ status }) => status === 'valid' || status === 'notYetValid')) return []
      const ends = states.flatMap(({ status, validTo }) =>
        validTo && (status === 'endsSoon' || status === 'expired') ? [validTo] : [],
      )
      const validTo = ends.sort().at(-1)
      return validTo ? [{ id, name, validTo }] : []
    })
    .sort((one, other) => one.validTo.localeCompare(other.validTo))
}
