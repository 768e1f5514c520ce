import { type KeptName, kept } from '#contract/kept.ts'
import type { Secret } from './platform/secret.ts'
import {
  addressList,
  anyText,
  type Check,
  contactAddress,
  databaseAddress,
  dnsServers,
  hostAndPort,
  hostList,
  hostName,
  mailAddress,
  mailSender,
  masterKey,
  oneOf,
  onOrOff,
  origin,
  path,
  replicaAddress,
  secretAddress,
  secretText,
  smsSender,
  webAddress,
  wholeNumber,
} from './setting-checks.ts'

/** The settings above, for defaults that depend on them: settings are read from top to bottom. */
export interface Known {
  production: boolean
  port?: number
  baseUrl?: string
}

/** One setting, declared once: the reader, `npm run admin -- settings` and docs/operations.md all use this. */
export interface Setting<T> {
  env: string
  meaning: string
  /** The default text; without one an unset setting is undefined. */
  fallback?: string | ((known: Known) => string | undefined)
  /** The default in the table of the documentation, if it is computed. */
  shownDefault?: string
  check: Check<T>
  /** Also read from the file that `<env>_FILE` names; then that file must be private. */
  secret?: true
}

const always = <T>(setting: Setting<T> & { fallback: string | ((known: Known) => string) }): Setting<T> => setting
/** A setting whose value is a secret does not compile here: `hidden` gives it its form with a file. */
const optional = <T>(setting: Setting<T> & (T extends Secret ? never : unknown)): Setting<T | undefined> => setting
const hidden = (setting: Setting<Secret>): Setting<Secret | undefined> => ({ ...setting, secret: true })

/** The setting that names a file with the secret. */
export const fileSetting = (env: string): string => `${env}_FILE`

const mailHost = ({ production, baseUrl = '' }: Known) => (production ? new URL(baseUrl).hostname : 'vestibule.example')

/** A port near the portal's own, so that several portals on a machine do not conflict; 0 is any free one. */
const besides = (port = 0, distance: number) => String(port > 0 && port + distance <= 65_535 ? port + distance : 0)

const keptSettings = Object.fromEntries(
  Object.entries(kept).map(([name, { env, meaning, fallback, least, most }]) => [
    name,
    { env, meaning, fallback, check: wholeNumber(least, most) },
  ]),
) as { [Name in KeptName]: Setting<number> }

/** Every setting, in the order of the table in docs/operations.md. The limits, `LIMIT_<NAME>`, are declared separately. */
export const settings = {
  port: always({ env: 'PORT', meaning: 'Port to listen on.', fallback: '3000', check: wholeNumber(0, 65535) }),
  host: always({ env: 'HOST', meaning: 'Address to listen on.', fallback: '127.0.0.1', check: anyText }),
  drainSeconds: always({
    env: 'DRAIN_SECONDS',
    meaning:
      'Seconds for which the process still serves after SIGTERM, while `/health/ready` answers 503. Longer than the load balancer takes to notice.',
    fallback: '5',
    check: wholeNumber(0, 600),
  }),
  baseUrl: always({
    env: 'BASE_URL',
    meaning: 'Address that people see, without a path. Links, cookies and the OpenID issuer are built on it.',
    fallback: ({ port }) => `http://localhost:${port}`,
    shownDefault: 'http://localhost:PORT',
    check: origin,
  }),
  passkeyRpId: always({
    env: 'PASSKEY_RP_ID',
    meaning:
      'Domain that passkeys are bound to: the host of BASE_URL, or a domain above it, for several addresses below that. The first passkey fixes it: a change ends every passkey (npm run admin -- passkeys move).',
    fallback: ({ baseUrl = '' }) => new URL(baseUrl).hostname,
    shownDefault: 'the host of BASE_URL',
    check: hostName,
  }),
  dataDir: always({
    env: 'DATA_DIR',
    meaning: 'Folder of the embedded database, the generated master key and the outbox files.',
    fallback: './data',
    check: path,
  }),
  databaseUrl: hidden({
    env: 'DATABASE_URL',
    meaning:
      'PostgreSQL 15 or later; of several servers (host1:5432,host2:5432) the one that accepts writes. Without it an embedded PostgreSQL runs in DATA_DIR.',
    check: databaseAddress,
  }),
  databaseOwnerUrl: hidden({
    env: 'DATABASE_OWNER_URL',
    meaning:
      'The same database as its owner: migrations run with it, so that the serving role in DATABASE_URL owns nothing.',
    check: databaseAddress,
  }),
  databasePoolerUrl: hidden({
    env: 'DATABASE_POOLER_URL',
    meaning:
      'The same database through a pooler in transaction mode, such as PgBouncer: requests use it instead of DATABASE_URL.',
    check: databaseAddress,
  }),
  databaseReadUrl: hidden({
    env: 'DATABASE_READ_URL',
    meaning:
      'A streaming replica of the same database: lists, exports, the home page and the audit list read there while it is close enough behind (docs/operations.md).',
    check: replicaAddress,
  }),
  databaseReadMaxLag: always({
    env: 'DATABASE_READ_MAX_LAG',
    meaning: 'Seconds that the replica may be behind; beyond them the primary answers.',
    fallback: '5',
    check: wholeNumber(1, 60),
  }),
  embeddedDatabaseInProduction: always({
    env: 'EMBEDDED_DATABASE_IN_PRODUCTION',
    meaning: '1 allows the embedded database in production: one machine, backups are yours.',
    fallback: 'off',
    check: onOrOff,
  }),
  masterKey: hidden({
    env: 'MASTER_KEY',
    meaning:
      'Encrypts the data keys in the database: at least 32 bytes, such as the output of openssl rand -base64 32.',
    shownDefault: 'made in DATA_DIR outside production',
    check: masterKey,
  }),
  masterKeyNext: hidden({
    env: 'MASTER_KEY_NEXT',
    meaning: 'The master key that is to replace MASTER_KEY, while that lasts: docs/master-key.md.',
    check: masterKey,
  }),
  trustedProxies: always({
    env: 'TRUSTED_PROXIES',
    meaning:
      'Addresses or networks of proxies whose X-Forwarded-For counts, separated by commas; none wider than 10.0.0.0/8 or fc00::/7.',
    fallback: '',
    shownDefault: 'none',
    check: addressList,
  }),
  hstsIncludeSubdomains: always({
    env: 'HSTS_INCLUDE_SUBDOMAINS',
    meaning:
      'Whether browsers must use https for every subdomain of the portal, too; off where one of them is served without.',
    fallback: 'on',
    check: onOrOff,
  }),
  smtpUrl: hidden({
    env: 'SMTP_URL',
    meaning:
      'Mail server, such as smtp://user:password@mail.example.com:587. Without it mail lands in DATA_DIR/outbox.',
    check: secretAddress('smtp:', 'smtps:'),
  }),
  smtpCaFile: optional({
    env: 'SMTP_CA_FILE',
    meaning: 'CA of the mail server, PEM, if a public one did not sign its certificate. Then no other CA is trusted.',
    check: path,
  }),
  smtpHostname: always({
    env: 'SMTP_HOSTNAME',
    meaning:
      'The name with which the portal greets the mail server (EHLO). Some servers refuse one that does not resolve.',
    fallback: ({ baseUrl = '' }) => (baseUrl ? new URL(baseUrl).hostname : 'localhost'),
    shownDefault: "BASE_URL's host",
    check: hostName,
  }),
  mailFrom: always({
    env: 'MAIL_FROM',
    meaning: 'Sender of all mail; an address alone is shown with COMPANY_NAME.',
    fallback: (known) => `no-reply@${mailHost(known)}`,
    shownDefault: "no-reply@ BASE_URL's host",
    check: mailSender,
  }),
  dkimSelector: optional({
    env: 'DKIM_SELECTOR',
    meaning: "Signs mail with DKIM: the selector of the public key in the DNS of the sender's domain.",
    check: anyText,
  }),
  dkimKeyFile: optional({ env: 'DKIM_KEY_FILE', meaning: 'The private key of DKIM_SELECTOR, PEM.', check: path }),
  smsProvider: optional({
    env: 'SMS_PROVIDER',
    meaning: '46elks or twilio. Without it text messages land in DATA_DIR/outbox; production sends none.',
    check: oneOf('46elks', 'twilio'),
  }),
  smsUrl: optional({
    env: 'SMS_URL',
    meaning: 'Base address of the SMS gateway.',
    shownDefault: "the provider's own",
    check: webAddress,
  }),
  smsUsername: optional({
    env: 'SMS_USERNAME',
    meaning: 'API user name (46elks) or account SID (Twilio).',
    check: anyText,
  }),
  smsPassword: hidden({
    env: 'SMS_PASSWORD',
    meaning: 'API password (46elks) or auth token (Twilio).',
    check: secretText,
  }),
  smsFrom: always({
    env: 'SMS_FROM',
    meaning:
      'Sender of text messages: a number (+46…), at most 11 letters and digits, or a messaging service of Twilio.',
    fallback: 'Vestibule',
    check: smsSender,
  }),
  bankidUrl: optional({
    env: 'BANKID_URL',
    meaning: "Base address of BankID's API, with its version: https://appapi2.bankid.com/rp/v6.0.",
    shownDefault: 'the simulator, with its phone app at /dev/bankid; none in production',
    check: webAddress,
  }),
  bankidCertFile: optional({
    env: 'BANKID_CERT_FILE',
    meaning: 'Client certificate with its key, PKCS#12 or PEM.',
    check: path,
  }),
  bankidCertPassphrase: hidden({
    env: 'BANKID_CERT_PASSPHRASE',
    meaning: "The certificate's passphrase.",
    check: secretText,
  }),
  bankidCaFile: optional({
    env: 'BANKID_CA_FILE',
    meaning: "BankID's own CA, PEM; no other one is trusted.",
    check: path,
  }),
  outgoingProxy: hidden({
    env: 'OUTGOING_PROXY',
    meaning:
      'Proxy for calls to addresses that people typed, such as http://proxy.example.com:3128. It resolves the names, so it must refuse internal networks itself.',
    check: secretAddress('http:', 'https:'),
  }),
  outgoingAllow: always({
    env: 'OUTGOING_ALLOW',
    meaning:
      'Hosts in internal networks that the portal may call, such as services that are told of a sign-out: `host` or `host:port`, separated by commas. They are called without the proxy.',
    fallback: '',
    shownDefault: 'none',
    check: hostList,
  }),
  dnsServers: always({
    env: 'DNS_SERVERS',
    meaning: 'DNS servers to ask for the records that prove mail domains, separated by commas; a port may follow.',
    fallback: '',
    shownDefault: 'those of the machine',
    check: dnsServers,
  }),
  auditSyslog: optional({
    env: 'AUDIT_SYSLOG',
    meaning: 'Sends audit events as syslog over TLS (RFC 5424, RFC 5425): `host` or `host:port`, by default port 6514.',
    check: hostAndPort(6514),
  }),
  auditSyslogCaFile: optional({
    env: 'AUDIT_SYSLOG_CA_FILE',
    meaning: 'CA of that server, PEM, if a public one did not sign its certificate.',
    check: path,
  }),
  auditStdout: always({
    env: 'AUDIT_STDOUT',
    meaning: 'on writes audit events to standard output, one JSON object a line.',
    fallback: 'off',
    check: onOrOff,
  }),
  auditColdAfterMonths: always({
    env: 'AUDIT_COLD_AFTER_MONTHS',
    meaning: 'Months after which a month of the audit log moves to a file in AUDIT_COLD_DIR, 6 or more; 0: never.',
    fallback: '0',
    check: wholeNumber(0, 1200),
  }),
  auditColdDir: optional({
    env: 'AUDIT_COLD_DIR',
    meaning:
      'Folder of those files, the same for every node; it must be there. The portal makes the files readable by its own account alone, and removes each when its time is over.',
    check: path,
  }),
  leakedPasswordsFile: optional({
    env: 'LEAKED_PASSWORDS_FILE',
    meaning:
      'Passwords that nobody may choose, and that are to be changed at the next sign-in: sorted SHA-1 hashes in hexadecimal, or their first digits, one a line.',
    check: path,
  }),
  newBrowserMail: always({
    env: 'NEW_BROWSER_MAIL',
    meaning: 'Whether people get a mail when somebody signs in to their account from a browser that it has not used.',
    fallback: 'on',
    check: onOrOff,
  }),
  sessionIdleMinutes: always({
    env: 'SESSION_IDLE_MINUTES',
    meaning: 'Minutes without activity after which a session ends.',
    fallback: '60',
    check: wholeNumber(1, 24 * 60),
  }),
  sessionMaxHours: always({
    env: 'SESSION_MAX_HOURS',
    meaning: 'Hours after which a session ends in any case.',
    fallback: '12',
    check: wholeNumber(1, 24 * 30),
  }),
  itemsPerPage: always({
    env: 'ITEMS_PER_PAGE',
    meaning: 'Rows on a page of a list.',
    fallback: '10',
    check: wholeNumber(1, 100),
  }),
  accessReviewMonths: always({
    env: 'ACCESS_REVIEW_MONTHS',
    meaning: 'Months after which the admins of an organisation are asked again who keeps which service; 0: never.',
    fallback: '6',
    check: wholeNumber(0, 120),
  }),
  companyName: always({
    env: 'COMPANY_NAME',
    meaning: 'Who operates the portal; in the footer and in mail.',
    fallback: 'Vestibule',
    check: anyText,
  }),
  supportEmail: always({
    env: 'SUPPORT_EMAIL',
    meaning: 'Where people get help; in the footer.',
    fallback: (known) => `support@${mailHost(known)}`,
    shownDefault: "support@ BASE_URL's host",
    check: mailAddress,
  }),
  privacyUrl: optional({
    env: 'PRIVACY_URL',
    meaning: 'Your own page on personal data; links and `/privacy` lead there.',
    shownDefault: '/privacy',
    check: webAddress,
  }),
  accessibilityUrl: optional({
    env: 'ACCESSIBILITY_URL',
    meaning: 'Your own accessibility statement; links and `/accessibility` lead there.',
    shownDefault: '/accessibility',
    check: webAddress,
  }),
  securityContact: optional({
    env: 'SECURITY_CONTACT',
    meaning: 'Page or `mailto:` address for reports of vulnerabilities, in `/.well-known/security.txt`.',
    shownDefault: 'SUPPORT_EMAIL',
    check: contactAddress,
  }),
  supportPhone: optional({
    env: 'SUPPORT_PHONE',
    meaning: 'Where people get help; in the footer, left out when not set.',
    // From the Swedish range of numbers reserved for fiction.
    fallback: ({ production }) => (production ? undefined : '+46 8 465 004 00'),
    shownDefault: 'a fictional number outside production',
    check: anyText,
  }),
  demo: always({
    env: 'DEMO',
    meaning: 'on loads the demo into an empty database and shows how to sign in. Never in production.',
    fallback: ({ production }) => (production ? 'off' : 'on'),
    shownDefault: 'on outside production',
    check: onOrOff,
  }),
  demoPassword: always({
    env: 'DEMO_PASSWORD',
    meaning: 'Password of every demo user.',
    fallback: 'Demo-password-1',
    check: anyText,
  }),
  demoIdpPort: always({
    env: 'DEMO_IDP_PORT',
    meaning: "Port of the demo's identity provider; a free one where it is taken.",
    fallback: ({ port }) => besides(port, 10),
    shownDefault: 'PORT + 10',
    check: wholeNumber(0, 65535),
  }),
  demoServicesPort: always({
    env: 'DEMO_SERVICES_PORT',
    meaning: "Port of the demo's services; a free one where it is taken.",
    fallback: ({ port }) => besides(port, 11),
    shownDefault: 'PORT + 11',
    check: wholeNumber(0, 65535),
  }),
  bootstrapEmail: optional({
    env: 'BOOTSTRAP_EMAIL',
    meaning: 'First super user, who gets an invitation when there is none yet.',
    check: mailAddress,
  }),
  ...keptSettings,
  logLevel: always({
    env: 'LOG_LEVEL',
    meaning: 'Lowest level that is logged: fatal, error, warn, info, debug, trace or silent.',
    fallback: ({ production }) => (production ? 'info' : 'warn'),
    shownDefault: 'info in production, else warn',
    check: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  logAddresses: always({
    env: 'LOG_ADDRESSES',
    meaning:
      "none, masked or full: whether each request's line in the log has nothing of the client's address, its network or all of it.",
    fallback: 'none',
    check: oneOf('none', 'masked', 'full'),
  }),
  otlpEndpoint: optional({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'Address of an OpenTelemetry collector that gets traces over HTTP, such as http://127.0.0.1:4318.',
    check: webAddress,
  }),
  metricsToken: hidden({
    env: 'METRICS_TOKEN',
    meaning: 'Bearer token for GET /metrics, which is closed without it in production.',
    check: secretText,
  }),
}

/** The parsed settings, by name. */
export type Values = { [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer T> ? T : never }
