// The public interface of this room: what a sign-in keeps for single logout, and how a sign-out goes on at the company.
import * as company from './company-sign-out.ts'
import * as repository from './saml-sessions.repository.ts'

/** Keeps what the identity provider calls the person, until the session has ended. */
export const rememberSamlSession = repository.rememberSamlSession

/** Before a session ends: a token for the page that goes on at the company. */
export const prepareCompanySignOut = company.prepareCompanySignOut

/** The address that signs the person out there. */
export const continueAtCompany = company.continueAtCompany
