import express from 'express'
import session from 'express-session'
import samlp from 'samlp'
import SessionParticipants from 'samlp/lib/sessionParticipants'
import type { SigningKey } from '#simulators/saml-idp/signed-answer.ts'
import { type Listening, listen } from '#test/company-oidc/listen.ts'

/** An identity provider that we did not write: npm `samlp`. */
export interface Samlp extends Listening {
  /** How it answers from now on. */
  options: SamlpOptions
  /** The services that it has signed people in to. */
  participants: Participant[]
  metadata: string
}

export interface SamlpOptions {
  key: SigningKey
  /** The address of the person who is signed in there. */
  email: string
  acsUrl: string
  [option: string]: unknown
}

interface Participant {
  serviceProviderId: string
  nameId: string
  sessionIndex: string
  serviceProviderLogoutURL: string
  /** PEM */
  cert: string
}

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const metadataPath = '/samlp/FederationMetadata/2007-06/FederationMetadata.xml'

export async function serveSamlp(options: SamlpOptions): Promise<Samlp> {
  const at = await listen()
  const idp: Samlp = { ...at, options, participants: [], metadata: `${at.issuer}${metadataPath}` }
  const app = express()
  app.use(session({ secret: 'of the test', resave: false, saveUninitialized: true }))
  app.use(express.urlencoded({ extended: false }))
  app.use((request, _, next) => {
    request.body ??= {}
    next()
  })
  const ownOptions = () => ({
    ...idp.options,
    issuer: `${at.issuer}/samlp`,
    cert: idp.options.key.certificate,
    key: idp.options.key.privateKey,
  })
  app.get('/samlp', (request, response, next) =>
    samlp.auth({
      ...ownOptions(),
      destination: idp.options.acsUrl,
      recipient: idp.options.acsUrl,
      getUserFromRequest: () => ({ id: idp.options.email, name: {}, emails: [{ value: idp.options.email }] }),
      getPostURL: (_: string, __: object, ___: object, done: (error: null, address: string) => void) =>
        done(null, idp.options.acsUrl),
    })(request, response, next),
  )
  app.get(metadataPath, (request, response, next) =>
    samlp.metadata({ ...ownOptions(), logoutEndpointPaths: { redirect: '/logout' } })(request, response, next),
  )
  app.get('/logout', (request, response, next) =>
    samlp.logout({
      ...ownOptions(),
      deflate: true,
      protocolBinding: redirect,
      sessionParticipants: new SessionParticipants(idp.participants),
    })(request, response, next),
  )
  at.server.on('request', app)
  return idp
}
