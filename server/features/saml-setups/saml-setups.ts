// The public interface of this room: what a sign-in needs of a configuration that is being prepared, and what waits.
import * as repository from './saml-setups.repository.ts'

/** The draft of a link that still works and has reserved this configuration id; null while it has none. */
export const findReservation = repository.findReservation

/** Keeps the result of a test sign-in with a draft. */
export const recordTest = repository.recordTest

/** How many drafts wait for a super user. */
export const countHandedIn = repository.countHandedIn
