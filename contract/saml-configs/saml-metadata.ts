import * as z from 'zod/mini'
import { message, text, url } from '#contract/fields/fields.ts'
import { certificateText } from './saml-certificates.ts'

/** Characters. */
export const maxMetadataLength = 250_000
/** SAML metadata as XML, of one entity. */
export const metadataText = text(maxMetadataLength).check(z.trim(), z.minLength(1, message('required')))

/** Which identity provider of several is meant, by its entity ID. */
export const chosenEntity = z.optional(text(1024).check(z.trim()))

/** The address of metadata that is read every day, and the certificate that it must be signed with; null: the signature is not checked. */
export const watchedMetadata = z.strictObject({ address: url, signer: z.optional(z.nullable(certificateText)) })
export type WatchedMetadata = z.infer<typeof watchedMetadata>

/** What was left out of metadata, or is wrong with it. */
export const metadataWarning = z.object({
  /**
   * `expired`: `validUntil` has passed. The others left a certificate out: a key that is too weak, one that cannot be read, and
   * one whose `use` is neither `signing` nor `encryption`.
   */
  kind: z.enum(['expired', 'weakKey', 'unreadable', 'unknownUse']),
  /** The time of `expired`; else the subject of the certificate, or the `use` where that is unknown. */
  detail: z.string(),
})
export type MetadataWarning = z.infer<typeof metadataWarning>

/** What metadata says of an identity provider: the fields of the form that it can fill in. */
export const identityProvider = z.object({
  entityId: z.string(),
  /** Null if the provider offers neither HTTP-Redirect nor HTTP-POST. */
  url: z.nullable(z.string()),
  /** It takes requests by HTTP-POST alone. */
  postRequests: z.boolean(),
  /** Where it takes sign-outs; null if it does not. */
  logoutUrl: z.nullable(z.string()),
  /** Where it takes the answers to its own; null: the same. */
  logoutResponseUrl: z.nullable(z.string()),
  postLogout: z.boolean(),
  /** Its usable certificates as PEM; empty if there are none. */
  certificate: z.string(),
  requestSigningEnabled: z.boolean(),
  warnings: z.array(metadataWarning),
})
export type IdentityProvider = z.infer<typeof identityProvider>

/** Identity providers of a federation that a person can choose from. One beyond them is named by its entity ID. */
export const maxMetadataChoices = 10_000

/** An identity provider of several. */
export const metadataChoice = z.object({ entityId: z.string(), displayName: z.nullable(z.string()) })
export type MetadataChoice = z.infer<typeof metadataChoice>

/** Of several identity providers none is read until one is named. */
export const metadataRead = z.object({ provider: z.nullable(identityProvider), choices: z.array(metadataChoice) })
export type MetadataRead = z.infer<typeof metadataRead>
