// The public interface of this room: what a sign-in room needs of a configuration that is being prepared.
import * as repository from './saml-setups.repository.ts'

/** The draft of a link that still works and has reserved this configuration id; null while it has none. */
export const findReservation = repository.findReservation

/** Keeps the result of a test sign-in with a draft. */
export const recordTest = repository.recordTest
