const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** In a minute: 5,000 people behind one address begin their day within ten, in the busiest of which three times the mean comes. */
const office = 2000

/** A rate limit: `points` times in a window of `seconds`, which starts with the first event. */
export interface LimitRule {
  points: number
  seconds: number
  /** When the points are used up: a pause that doubles with each further event, instead of the rest of the window. */
  pause?: { firstSeconds: number; maxSeconds: number }
  /** A second rule that counts the same events. */
  also?: string
}

/**
 * All limits (docs/operations.md lists them). Each is a setting: `LIMIT_AUTH_TYPE=30/60` is `authType`, 30 in 60 seconds.
 * The comment of a limit names its key.
 */
export const limitRules = {
  /** account + address. Five are free, then a pause; a success resets only this pair. */
  wrongPassword: { points: 5, seconds: day, pause: { firstSeconds: 1, maxSeconds: 15 * minute } },
  /** account, from all addresses. */
  wrongPasswordAccount: { points: 10, seconds: 15 * minute, pause: { firstSeconds: 60, maxSeconds: 15 * minute } },
  /** account + a browser that has signed in to it before: others cannot use up its budget. */
  wrongPasswordBrowser: { points: 10, seconds: 15 * minute, pause: { firstSeconds: 60, maxSeconds: 15 * minute } },
  /** session: wrong current passwords; the session ends when the limit is reached. */
  wrongOwnPassword: { points: 5, seconds: day },
  /** address; not in a browser that has signed in to that account before. Typos before a right password are given back. */
  addressFailures: { points: 20, seconds: 5 * minute, also: 'addressFailuresHourly' },
  addressFailuresHourly: { points: 100, seconds: hour },
  /** account, or account + a browser in which more than a password was proven; a new password frees the account. The owner is mailed. */
  wrongCode: { points: 20, seconds: day },
  /** account: all of these together, whatever the password. */
  wrongCodeTotal: { points: 100, seconds: day },
  /** account + address, or + a browser that has signed in to it before: a recovery code is no guess. */
  wrongRecoveryCode: { points: 20, seconds: day },
  /** as `wrongCode`. */
  codeSend: { points: 1, seconds: 30, also: 'codeSendHourly' },
  /** as `wrongCode`: codes by SMS. Someone whose mail does not come need not wait for it. */
  smsCodeSend: { points: 1, seconds: 30, also: 'codeSendHourly' },
  codeSendHourly: { points: 5, seconds: hour },
  /** as `wrongCode`; on top of `smsCodeSend`. */
  smsSend: { points: 3, seconds: 15 * minute, also: 'smsSendDaily' },
  smsSendDaily: { points: 10, seconds: day },
  /** account: all of these together, whatever the password. */
  smsSendTotal: { points: 50, seconds: day },
  /** address; in a browser that has signed in to that account before: account + browser. */
  resetRequest: { points: 10, seconds: hour },
  /** account, or account + a browser that has signed in to it before; rejected without telling the client. */
  resetRequestAccount: { points: 3, seconds: hour },
  /** account: all of these together. */
  resetRequestTotal: { points: 10, seconds: hour },
  /** address: reset and invitation links that are not valid. */
  tokenLookup: { points: 20, seconds: 10 * minute },
  /** account, or invited address + organisation: attempts to set the own personal number. */
  ownSsn: { points: 10, seconds: day },
  /** admin: attempts to set the personal number of others. Super users may read numbers anyway. */
  ssnOfOthers: { points: 20, seconds: day },
  /** organisation, and who invited: what their people try. All of a large company may accept on the same day. */
  ssnOfPeople: { points: 5000, seconds: day },
  /** admin: invitations, and test mails to the own address. */
  invitation: { points: 50, seconds: hour },
  /** organisation: invitations of all of its admins. */
  invitationOfOrganization: { points: 500, seconds: hour },
  /** account: requests for access, each of which is mailed to admins. */
  accessRequest: { points: 10, seconds: hour },
  /** person: recoveries that admins ask for, each of which is mailed. Stopping one gives nothing back. */
  recoveryAsked: { points: 3, seconds: day },
  /** admin: members who are asked to review a service. */
  reviewerAsked: { points: 50, seconds: hour },
  /** organisation, service and member: mails that ask for that service. Asking again within the time sends none. */
  reviewerMail: { points: 1, seconds: day },
  /** account and service: events that somebody without the service was refused. Further refusals leave none. */
  refusedEntry: { points: 1, seconds: hour },
  /** client and error: events that a request of a service was refused. Further refusals are in the log alone. */
  refusedRequest: { points: 1, seconds: hour },
  /** address: sign-in requests pushed in the name of a client without a secret. */
  pushedRequest: { points: office, seconds: minute },
  /** address: sign-ins that are begun and stored, by browsers that have never signed in. */
  begunSignIn: { points: office, seconds: minute },
  /** account with a session, or browser that has signed in before: the same. */
  begunSignInBrowser: { points: 240, seconds: minute },
  /** process, in its memory: the same by strangers, from all addresses. */
  begunSignInTotal: { points: 6000, seconds: minute },
  /** client and organisation: events that a service has read its people. */
  directoryEvent: { points: 1, seconds: hour },
  /** admin: people in a bulk import. */
  importedInvitation: { points: 2000, seconds: hour },
  /** organisation: logos that its admins upload. */
  uploadedLogo: { points: 20, seconds: hour },
  /** invitation. */
  invitationResend: { points: 1, seconds: 5 * minute },
  /** address; in a browser that has signed in to that account before: account + browser. A completed sign-in is given back. */
  authType: { points: 30, seconds: minute },
  /** address: orders started; none of them is a failure. */
  bankidStart: { points: office, seconds: minute },
  /** sign-in: the same. */
  bankidRestart: { points: 30, seconds: minute },
  /** address: every use of a link for the IT of an organisation. */
  samlSetup: { points: 60, seconds: 10 * minute },
  /** organisation: links for its directory that its admins make. */
  setupMade: { points: 10, seconds: hour },
  /** link: how often its page asks whether the directory has called. */
  setupPoll: { points: 60, seconds: minute },
  /** link: tokens that it makes while it works. */
  setupToken: { points: 5, seconds: 3 * day },
  /** organisation, and what it is about: mails to super users and admins of what its IT did by a link. More are not sent. */
  setupMail: { points: 5, seconds: day },
  /** address: redirects to a company's sign-in, and responses: two for each sign-in. */
  samlSignIn: { points: 2 * office, seconds: minute },
  /** address: failed SAML responses. Further ones are rejected in the same way, without an audit event. */
  samlFailures: { points: 20, seconds: 5 * minute, also: 'samlFailuresHourly' },
  samlFailuresHourly: { points: 100, seconds: hour },
  /** configuration: accounts of people who sign in for the first time. */
  createdAtSignIn: { points: 200, seconds: hour },
  /** process, in its memory: calls of an organisation's directory. A first synchronisation of 10,000 people stays below. */
  scim: { points: 6000, seconds: minute },
  /** session. */
  api: { points: 300, seconds: minute },
  /** client, in the memory of a process: questions of a service whether somebody may do something. */
  decision: { points: 6000, seconds: minute },
  /** address. */
  clientErrors: { points: 10, seconds: minute },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof limitRules

/** The rules that count, with the numbers of the settings. */
export type LimitRules = Readonly<Record<LimitName, LimitRule & { also?: LimitName }>>

/** `LIMIT_AUTH_TYPE`, the setting of `authType`. */
export const limitSetting = (name: string): string =>
  `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
