import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'
import { selfSigned } from '#test/saml/certificate.ts'

const program = '/usr/share/simplesamlphp'
const needed = 'exit(extension_loaded("dom") && extension_loaded("mbstring") ? 0 : 1);'
/** What the machine lacks to run it; undefined if nothing. */
export const missing =
  existsSync(join(program, 'www')) && spawnSync('php', ['-r', needed]).status === 0
    ? undefined
    : 'this machine has no SimpleSAMLphp (apt install --no-install-recommends simplesamlphp php-cli php-xml php-mbstring)'

interface Options {
  /** Email addresses by user name; each password is the user name reversed. */
  people: Record<string, { mail: string; displayName: string }>
  signs: { response: boolean; assertion: boolean }
  /** Uses transient name IDs and attributes named by OIDs, like universities. */
  byOid: boolean
  /** How it encrypts assertions: as Debian ships it with AES-128-CBC alone. */
  encrypts?: 'AES128_CBC' | 'AES256_GCM' | undefined
}

/** SimpleSAMLphp, a widely used identity provider, as packaged by Debian. */
export interface SimpleSamlPhp {
  entityId: string
  url: string
  /** Where it takes sign-outs, and where people begin one there. */
  logoutUrl: string
  signOutPage: string
  certificate: string
  /** Imports the metadata of a service provider. @returns the parsed metadata, as PHP */
  trust: (metadata: string) => Promise<string>
  log: () => Promise<string>
  stop: () => Promise<void>
}

export async function startSimpleSamlPhp(options: Options): Promise<SimpleSamlPhp> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-simplesamlphp-'))
  const place = (...names: string[]) => join(folder, ...names)
  await Promise.all(['config', 'metadata', 'cert', 'log', 'tmp'].map((name) => mkdir(place(name))))
  const origin = `http://127.0.0.1:${await freePort()}`
  const key = selfSigned({ name: 'simplesamlphp.example' })
  const entityId = `${origin}/metadata`
  await writeFile(place('cert/key.pem'), key.privateKey)
  await writeFile(place('cert/certificate.pem'), key.certificate)
  await writeFile(place('config/config.php'), configuration(folder, origin))
  await writeFile(place('config/authsources.php'), sources(options.people))
  await writeFile(place('metadata/saml20-idp-hosted.php'), hosted(entityId, options))
  await writeFile(place('metadata/saml20-sp-remote.php'), '<?php')
  await writeFile(place('encrypt.php'), encryption(options.encrypts))
  const env = { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: place('config') }
  const server = spawn(
    'php',
    ['-d', `auto_prepend_file=${place('encrypt.php')}`, '-S', new URL(origin).host, '-t', join(program, 'www')],
    { env, stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => server.once('exit', resolve))
  for (let tries = 0; !(await fetch(`${origin}/saml2/idp/metadata.php`).catch(() => undefined))?.ok; tries++) {
    if (tries > 100) {
      server.kill('SIGTERM')
      throw new Error('SimpleSAMLphp does not answer')
    }
    await wait(100)
  }
  return {
    entityId,
    url: `${origin}/saml2/idp/SSOService.php`,
    logoutUrl: `${origin}/saml2/idp/SingleLogoutService.php`,
    signOutPage: `${origin}/saml2/idp/SingleLogoutService.php?${new URLSearchParams({ ReturnTo: `${origin}/logout.php` })}`,
    certificate: key.certificate,
    async trust(metadata) {
      const read = spawnSync('php', ['-r', reader], { env, input: metadata, encoding: 'utf8' })
      if (read.status !== 0) throw new Error(`SimpleSAMLphp does not take the metadata: ${read.stdout}${read.stderr}`)
      await writeFile(place('metadata/saml20-sp-remote.php'), read.stdout)
      return read.stdout
    },
    log: () => readFile(place('log/simplesamlphp.log'), 'utf8'),
    async stop() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// Uses its own schema and parser, like its page "metadata converter".
const reader = `
require '${program}/lib/_autoload.php';
$xml = stream_get_contents(STDIN);
$valid = SimpleSAML\\Utils\\XML::isValid($xml, 'saml-schema-metadata-2.0.xsd');
if ($valid !== true) { echo $valid; exit(1); }
echo "<?php\\n";
foreach (SimpleSAML\\Metadata\\SAMLParser::parseDescriptorsString($xml) as $id => $parser) {
  echo '$metadata[' . var_export($id, true) . '] = ' . var_export($parser->getMetadata20SP(), true) . ";\\n";
}`

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

const configuration = (folder: string, origin: string) => `<?php
$config = [
  'baseurlpath' => ${quoted(`${origin}/`)},
  'certdir' => ${quoted(`${folder}/cert/`)},
  'metadatadir' => ${quoted(`${folder}/metadata/`)},
  'loggingdir' => ${quoted(`${folder}/log/`)},
  'attributenamemapdir' => '/etc/simplesamlphp/attributemap/',
  'datadir' => ${quoted(`${folder}/tmp/`)},
  'tempdir' => ${quoted(`${folder}/tmp`)},
  'secretsalt' => 'no secret', 'auth.adminpassword' => 'no secret',
  'technicalcontact_email' => 'support@vestibule.example',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  'store.type' => 'phpsession', 'session.phpsession.savepath' => ${quoted(`${folder}/tmp`)},
  'session.cookie.secure' => false, 'session.cookie.samesite' => null,
  'logging.handler' => 'file', 'logging.level' => SimpleSAML\\Logger::DEBUG,
  // It validates every message against the schema.
  'debug' => ['saml' => true, 'validatexml' => true],
  'admin.checkforupdates' => false,
  'metadata.sources' => [['type' => 'flatfile']],
];`

const sources = (people: Options['people']) => `<?php
$config = ['admin' => ['core:AdminPassword'], 'people' => ['exampleauth:UserPass',
${Object.entries(people)
  .map(
    ([name, { mail, displayName }]) =>
      `${quoted(`${name}:${[...name].reverse().join('')}`)} => ['mail' => [${quoted(mail)}], 'displayName' => [${quoted(displayName)}]],`,
  )
  .join('\n')}
]];`

/** Its algorithm for encryption is a constant, which later versions let operators choose. */
const encryption = (algorithm = 'AES128_CBC') => `<?php
require_once '${program}/lib/_autoload.php';
$source = file_get_contents('${program}/vendor/simplesamlphp/saml2/src/SAML2/EncryptedAssertion.php');
eval(substr(str_replace('new XMLSecurityKey(XMLSecurityKey::AES128_CBC)', 'new XMLSecurityKey(XMLSecurityKey::${algorithm})', $source), 5));`

const hosted = (entityId: string, { signs, byOid, encrypts }: Options) => `<?php
$metadata[${quoted(entityId)}] = [
  'host' => '__DEFAULT__', 'privatekey' => 'key.pem', 'certificate' => 'certificate.pem', 'auth' => 'people',
  'saml20.sign.response' => ${signs.response}, 'saml20.sign.assertion' => ${signs.assertion},
  'sign.logout' => true, 'validate.logout' => true,
  'assertion.encryption' => ${encrypts !== undefined},
  ${byOid ? namedByOid : namedByAddress}
];`

const namedByAddress = `
  'NameIDFormat' => 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'authproc' => [3 => ['class' => 'saml:AttributeNameID', 'attribute' => 'mail',
    'Format' => 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress']],`

const namedByOid = `
  'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  'authproc' => [100 => ['class' => 'core:AttributeMap', 'name2oid']],`
