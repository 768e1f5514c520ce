import type { MessageKey } from './message-key.ts'

/** How hard a proof is to forge: a fresh proof is as strong as the account can give (product-rules 5.8). */
export const strengths = { none: 0, password: 1, code: 2, app: 3, strong: 4 } as const
export type Strength = (typeof strengths)[keyof typeof strengths]

/** The kinds of sign-in that the home page tells apart, in words: a code or a passkey also after a password. */
export const signInKinds = {
  bankid: 'loginMethodBankid',
  saml: 'loginMethodSaml',
  code: 'loginMethodLocal2FA',
  password: 'loginMethodLocal',
  passkey: 'methodPasskey',
} as const satisfies Record<string, MessageKey>
export type SignInKind = keyof typeof signInKinds

/** What an organisation asks of those who enter (product-rules 11.4): a login method, or more of its admins. */
export type Floor = 'local' | 'local2FA' | 'bankid' | 'saml' | 'strongAdmins'

/** One way to prove who somebody is. */
export interface Method {
  /**
   * What it adds to the `amr` of a session: first its kind by RFC 8176, then what tells it from others of the kind. `mfa` says
   * that it makes two factors, with a password where it is not enough alone.
   */
  amr: readonly [string, ...string[]]
  /** The name in an `amr` by which it is found. */
  mark: string
  /** What a session calls it, which remembers when it was last proven. */
  proof: string
  strength: Strength
  /** It proves somebody without a password too. */
  alone?: true
  /** No copy of a sign-in page can ask for it: `phr` of `acr`. */
  phishingResistant?: true
  /** What a thief must have. */
  proves: 'password' | 'mailbox' | 'phone' | 'device' | 'person'
  /** Whom it can be asked of: everybody, or accounts with that. */
  askedOf: 'everybody' | 'password' | 'number' | 'company'
  meets: readonly Floor[]
  /** The part of a page that asks for it; `elsewhere` is a page of its own. */
  step: 'password' | 'message' | 'code' | 'recoveryCode' | 'key' | 'elsewhere'
  /** On the button that leads to it. */
  goOn?: MessageKey
  /** What people and organisations call it who choose second factors. */
  secondFactor?: MessageKey
  /** What the audit log calls a sign-in by it, this in words, and what it counts as. */
  signIn: { name: string; label: MessageKey; kind: SignInKind }
}

/**
 * What a person can prove at a sign-in or in the middle of the work, the weakest first: of several in one `amr`, the last gives
 * the sign-in its name. Without the schema library, as the sign-in pages read it (decision 0016). docs/a-new-feature.md adds one.
 */
export const signInMethods = {
  password: {
    amr: ['pwd'],
    mark: 'pwd',
    proof: 'password',
    strength: strengths.password,
    alone: true,
    proves: 'password',
    askedOf: 'password',
    meets: ['local'],
    step: 'password',
    signIn: { name: 'password', label: 'loginMethodLocal', kind: 'password' },
  },
  email: {
    amr: ['otp', 'email', 'mfa'],
    // A code came by mail if nothing says otherwise.
    mark: 'otp',
    proof: 'code',
    strength: strengths.code,
    proves: 'mailbox',
    askedOf: 'everybody',
    meets: ['local', 'local2FA'],
    step: 'message',
    secondFactor: 'factorEmail',
    signIn: { name: 'passwordAndEmailCode', label: 'methodPasswordAndEmailCode', kind: 'code' },
  },
  sms: {
    amr: ['otp', 'sms', 'mfa'],
    mark: 'sms',
    proof: 'code',
    strength: strengths.code,
    proves: 'phone',
    askedOf: 'everybody',
    meets: ['local', 'local2FA'],
    step: 'message',
    secondFactor: 'factorSms',
    signIn: { name: 'passwordAndSmsCode', label: 'methodPasswordAndSmsCode', kind: 'code' },
  },
  app: {
    amr: ['otp', 'app', 'mfa'],
    mark: 'app',
    proof: 'app',
    strength: strengths.app,
    proves: 'device',
    askedOf: 'everybody',
    meets: ['local', 'local2FA'],
    step: 'code',
    secondFactor: 'factorApp',
    signIn: { name: 'passwordAndApp', label: 'methodPasswordAndApp', kind: 'code' },
  },
  recoveryCode: {
    // It stands in for the app. As long as a key, it works once, and its use is mailed.
    amr: ['otp', 'app', 'recovery', 'mfa'],
    mark: 'recovery',
    proof: 'recoveryCode',
    strength: strengths.strong,
    proves: 'device',
    askedOf: 'everybody',
    meets: ['local', 'local2FA'],
    step: 'recoveryCode',
    signIn: { name: 'passwordAndRecoveryCode', label: 'methodPasswordAndRecoveryCode', kind: 'code' },
  },
  securityKey: {
    // `touch`: the key did not verify its user.
    amr: ['pop', 'user', 'mfa', 'touch'],
    mark: 'pop',
    proof: 'securityKey',
    strength: strengths.strong,
    phishingResistant: true,
    proves: 'device',
    askedOf: 'password',
    meets: ['local', 'local2FA', 'strongAdmins'],
    step: 'key',
    signIn: { name: 'passwordAndPasskey', label: 'methodPasswordAndPasskey', kind: 'passkey' },
  },
  passkey: {
    amr: ['pop', 'user', 'mfa'],
    mark: 'pop',
    proof: 'passkey',
    strength: strengths.strong,
    alone: true,
    phishingResistant: true,
    proves: 'device',
    askedOf: 'password',
    meets: ['local', 'local2FA', 'strongAdmins'],
    step: 'key',
    secondFactor: 'factorPasskey',
    signIn: { name: 'passkey', label: 'methodPasskey', kind: 'passkey' },
  },
  bankid: {
    amr: ['swk', 'mfa'],
    mark: 'swk',
    proof: 'bankid',
    strength: strengths.strong,
    alone: true,
    proves: 'person',
    askedOf: 'number',
    meets: ['local', 'local2FA', 'bankid', 'strongAdmins'],
    step: 'elsewhere',
    goOn: 'continueWithBankId',
    signIn: { name: 'bankid', label: 'loginMethodBankid', kind: 'bankid' },
  },
  company: {
    // What the identity provider asked for, it does not say: it meets what a password meets.
    amr: ['fed'],
    mark: 'fed',
    proof: 'company',
    strength: strengths.strong,
    alone: true,
    proves: 'person',
    askedOf: 'company',
    meets: ['local', 'saml'],
    step: 'elsewhere',
    goOn: 'confirmWithCompany',
    signIn: { name: 'saml', label: 'loginMethodSaml', kind: 'saml' },
  },
} as const satisfies Record<string, Method>

/** The name of a record. */
export type MethodName = keyof typeof signInMethods

/** Names in an `amr` that are our own, which services do not get. */
export const ownAmr: readonly string[] = ['email', 'app', 'recovery', 'touch']

/** What proves a person's number. */
export type PersonProof = {
  [Name in MethodName]: (typeof signInMethods)[Name]['proves'] extends 'person' ? Name : never
}[MethodName]
/** What a session can be called by how it was proven. */
export type SignInMethod = (typeof signInMethods)[MethodName]['signIn']['name']
/** What a session can have proven. */
export type Factor = (typeof signInMethods)[MethodName]['proof']

/** Every record with its name, the weakest first. */
export const allMethods = Object.entries(signInMethods) as readonly [MethodName, Method][]

/** The names of those that are like this. */
export const methodsWhere = (is: (method: Method) => boolean): MethodName[] =>
  allMethods.flatMap(([name, method]) => (is(method) ? [name] : []))

/** Those that prove the account by its number, and raise a session whatever the account's own method is. */
export type RaisingMethod = {
  [Name in MethodName]: (typeof signInMethods)[Name]['askedOf'] extends 'number' ? Name : never
}[MethodName]
export const raisingMethods = methodsWhere(({ askedOf }) => askedOf === 'number') as RaisingMethod[]
