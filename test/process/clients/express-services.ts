import { once } from 'node:events'
import express from 'express'
import { auth, requiresAuth } from 'express-openid-connect'
import session from 'express-session'
import passport from 'passport'
import { Strategy } from 'passport-openidconnect'

interface AuthJs {
  ExpressAuth: (config: object) => express.Handler
  getSession: (request: express.Request, config: object) => Promise<{ user?: object } | null>
}
// Its own types bring those of browsers along, which fit no server.
const { ExpressAuth, getSession }: AuthJs = await import(String('@auth/express'))

/** How a service was registered. */
export interface Registered {
  issuer: string
  clientId: string
  secret: string
}

export interface ExpressService {
  close(): Promise<void>
}

/** A service with `express-openid-connect`: PKCE, and the answer posted by a form. */
export const startExpressOpenIdConnect = (port: number, { issuer, clientId, secret }: Registered) => {
  const app = express()
  app.use(
    auth({
      issuerBaseURL: issuer,
      baseURL: `http://localhost:${port}`,
      clientID: clientId,
      clientSecret: secret,
      secret: 'a long secret of the cookies of this service',
      authRequired: false,
      idpLogout: true,
      authorizationParams: { response_type: 'code', response_mode: 'form_post', scope: 'openid profile email' },
      // Without TLS a cookie cannot be SameSite=None, which a post of another site needs.
      session: { cookie: { secure: false, sameSite: 'Lax' } },
      transactionCookie: { sameSite: 'Lax' },
    }),
  )
  app.get('/person', requiresAuth(), (request, response) => void response.json(request.oidc.user))
  app.get('/', (_, response) => void response.send('signed out'))
  return listen(app, port)
}

/** A service with Auth.js, which shows a page with a button of its own: PKCE, state and nonce. */
export const startAuthJs = (port: number, { issuer, clientId, secret }: Registered) => {
  const app = express()
  const checks: ('pkce' | 'state' | 'nonce')[] = ['pkce', 'state', 'nonce']
  const provider = {
    id: 'portal',
    name: 'Portal',
    type: 'oidc' as const,
    issuer,
    clientId,
    clientSecret: secret,
    checks,
  }
  const config = { providers: [provider], secret: 'a long secret of the cookies of this service', trustHost: true }
  app.use('/auth', ExpressAuth(config))
  app.get('/person', async (request, response) => {
    const found = await getSession(request, config)
    if (found) response.json(found.user)
    else response.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(`http://localhost:${port}/person`)}`)
  })
  return listen(app, port)
}

/** A service with `passport-openidconnect`, which knows no PKCE. */
export const startPassport = (port: number, { issuer, clientId, secret }: Registered) => {
  const app = express()
  app.use(session({ secret: 'cookies of this service', resave: false, saveUninitialized: false }))
  passport.use(
    new Strategy(
      {
        issuer,
        authorizationURL: `${issuer}/auth`,
        tokenURL: `${issuer}/token`,
        userInfoURL: `${issuer}/me`,
        clientID: clientId,
        clientSecret: secret,
        callbackURL: `http://localhost:${port}/callback`,
        scope: 'profile email',
      },
      (_issuer: string, profile: object, done: (error: null, user: object) => void) => done(null, profile),
    ),
  )
  app.get('/login', passport.authenticate('openidconnect', { session: false }))
  app.get('/callback', passport.authenticate('openidconnect', { session: false }), (request, response) => {
    response.json(request.user)
  })
  return listen(app, port)
}

async function listen(app: express.Express, port: number): Promise<ExpressService> {
  const server = app.listen(port)
  await once(server, 'listening')
  return {
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
