// The public interface of this room: what a sign-in needs of a configuration that is being prepared, and what waits.
import * as open from './open-setups.handlers.ts'
import * as repository from './saml-setups.repository.ts'
import * as links from './setup-links.ts'
import * as secrets from './setup-secrets.ts'
import * as shown from './show-setup.ts'

/** The draft of a link that still works and has reserved this configuration id; null while it has none. */
export const findReservation = repository.findReservation

/** Keeps the result of a test sign-in with a draft. */
export const recordTest = repository.recordTest

export type Setup = repository.Setup

/** What a test by someone with a link needs. */
export const findByToken = links.findByToken
export const { refuseDecided, givenDraft, eventOfUse } = open
export const { unsealSetupSecret } = secrets
export const { configOf, oidcConfigOf } = shown

/** How many drafts wait for a super user. */
export const countHandedIn = repository.countHandedIn
