import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import type { Registered } from './express-services.ts'

const modules = '/usr/lib/apache2/modules'
export const isApacheInstalled = existsSync(join(modules, 'mod_auth_openidc.so')) && existsSync('/usr/sbin/apache2')

/** Debian's Apache with mod_auth_openidc before the page `/protected/`; the header `x-person` says who is signed in. */
export async function startApache(port: number, { issuer, clientId, secret }: Registered) {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-apache-'))
  mkdirSync(join(folder, 'site', 'protected'), { recursive: true })
  writeFileSync(join(folder, 'site', 'protected', 'index.html'), 'the protected page')
  const loaded = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'dir', 'auth_openidc']
  const config = `
ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
Mutex file:${folder} default
DocumentRoot ${folder}/site
DirectoryIndex index.html
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCSSLValidateServer Off
OIDCClientID ${clientId}
OIDCClientSecret ${secret}
OIDCProviderTokenEndpointAuth client_secret_basic
OIDCRedirectURI http://localhost:${port}/protected/callback
OIDCCryptoPassphrase a-passphrase-of-this-service
OIDCPKCEMethod S256
OIDCScope "openid profile email"
OIDCRemoteUserClaim email
<Location /protected>
  AuthType openid-connect
  Require valid-user
  Header set X-Person "expr=%{REMOTE_USER}"
</Location>
`
  writeFileSync(join(folder, 'apache.conf'), config)
  // The account of Apache reads it.
  spawn('chmod', ['-R', 'a+rwX', folder])
  const apache = spawn('/usr/sbin/apache2', ['-X', '-f', join(folder, 'apache.conf')], { stdio: 'ignore' })
  const cleared = cleanUpOnExit({ pid: apache.pid, folders: [folder] })
  const ended = once(apache, 'close')
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer) break
    await wait(50)
  }
  return {
    async close() {
      apache.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
      cleared()
    },
  }
}
