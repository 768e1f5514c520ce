import { expect, test } from 'vitest'
import { unknownLine, unknownSettings } from './unknown-settings.ts'

const said = (env: Record<string, string>, inFile: string[] = []) => unknownSettings(env, inFile).map(unknownLine)

test.each([
  ['SESSION_IDLE_MINUTE', 'SESSION_IDLE_MINUTES'],
  ['SESSIONIDLEMINUTES', 'SESSION_IDLE_MINUTES'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['log_level', 'LOG_LEVEL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['MASTERKEY_FILE', 'MASTER_KEY_FILE'],
  ['SMS_USERNAME_FILE', 'SMS_USERNAME'],
  ['METRIC_TOKEN', 'METRICS_TOKEN'],
  ['NODEENV', 'NODE_ENV'],
  ['LIMITS_AUTH_TYPE', 'LIMIT_AUTH_TYPE'],
])('%s is named with %s', (variable, meant) => {
  expect(said({ [variable]: 'hemligt' })).toEqual([`${variable} is no setting: ${meant} is`])
  expect(said({}, [variable])).toEqual([`${variable} is no setting: ${meant} is`])
})

test.each(
  `BANKID_CERT BANKID_CERTIFICATE SMTP_CA DKIM_KEY DKIM_PRIVATE_KEY OUTGOING_PROXIES DATABASE_REPLICA_URL DATABASE_POOL_SIZE MAIL_SENDER
  HSTS_SUBDOMAINS TRUSTED_HOPS SESSION_TIMEOUT MASTER_SECRET SMS_API_KEY AUDIT_FOLDER LOG_FORMAT METRICS_PASSWORD PASSKEY_DOMAIN
  NEW_BROWSER_SMS ACCESS_REVIEW_DAYS DEMO_USERS`.split(/\s+/),
)('%s, which begins like a setting, is named', (variable) => {
  expect(said({ [variable]: 'hemligt' })).toHaveLength(1)
  expect(said({ [variable]: 'hemligt' })[0]).toMatch(`${variable} is no setting`)
})

test('settings, and what other programs read, are not accused', () => {
  const foreign = `HOSTNAME HOSTTYPE PATH HOME PWD OLDPWD SHELL SHLVL TERM TERM_PROGRAM LANG LANGUAGE LC_ALL LC_CTYPE TZ USER LOGNAME MAIL
    MAILCHECK EDITOR DISPLAY TMPDIR TEMP COLUMNS LINES PORTS POST COST COLOR NO_COLOR FORCE_COLOR DEBUG CI INIT_CWD XDG_RUNTIME_DIR SSH_AUTH_SOCK
    DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET WATCHDOG_USEC LISTEN_FDS LISTEN_PID LISTEN_FDNAMES SYSTEMD_EXEC_PID
    MEMORY_PRESSURE_WATCH STATE_DIRECTORY CACHE_DIRECTORY CREDENTIALS_DIRECTORY RUNTIME_DIRECTORY KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT
    KUBERNETES_PORT_443_TCP_ADDR VESTIBULE_SERVICE_HOST VESTIBULE_PORT POSTGRES_SERVICE_HOST POSTGRES_PASSWORD DATABASE_HOST DATABASE_PORT
    DATABASE_PASSWORD DATABASE_NAME DATABASE_USER DATABASE_SERVICE_HOST REDIS_URL SMTP_HOST SMTP_PORT APP_URL SITE PGHOST PGPORT PGDATABASE
    PGUSER PGPASSWORD HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy SSL_CERT_FILE NODE_OPTIONS NODE_PATH NODE_VERSION NODE_COMPILE_CACHE
    NODE_EXTRA_CA_CERTS UV_THREADPOOL_SIZE YARN_VERSION npm_command npm_package_name npm_config_user_agent npm_lifecycle_event
    OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_ENDPOINTS OTEL_EXPORTER_OTLP_TRACES_ENDPOINT AWS_REGION AWS_ACCESS_KEY_ID
    GOOGLE_APPLICATION_CREDENTIALS AZURE_CLIENT_ID SESSION_MANAGER NEW_RELIC_LICENSE_KEY ACCESS_TOKEN SMS_SERVICE_HOST SMS_PORT_80_TCP_ADDR container _ WT_SESSION ProgramFiles Path SystemRoot`
  const ours = 'NODE_ENV PORT HOST DEMO LOG_LEVEL MASTER_KEY MASTER_KEY_FILE LIMIT_AUTH_TYPE'
  expect(said(Object.fromEntries(`${foreign} ${ours}`.split(/\s+/).map((name) => [name, 'x'])))).toEqual([])
})

test('in .env, which is ours alone, everything unknown is named, but never a line of a key that was broken in two', () => {
  const names = [
    'SESSION_TIMEOUT',
    'MASTER_KEY',
    'PGHOST',
    'TZ',
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
    'QUJD',
    'aGVtbGlndA',
  ]
  expect(said({}, names)).toEqual(['SESSION_TIMEOUT is no setting'])
})
