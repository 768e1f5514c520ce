/** Swedish and English: people of other languages read English, as in the other simulators. */
export type ServiceLanguage = 'sv' | 'en'
export type Bilingual<Text = string> = Readonly<Record<ServiceLanguage, Text>>

/** One demo service: what it is called, and what it looks like. */
export interface DemoServiceLook {
  /** Its part of the address, and the end of its client id. */
  path: string
  name: string
  /** Degrees: the hue of its pages. */
  hue: number
  about: Bilingual
  /** What it would show somebody who works with it. */
  rows: Bilingual<readonly string[]>
  /** The roles that it declares, by key. */
  roles?: Readonly<Record<string, Bilingual>>
}

/** What the service learned about a person who signed in. */
export interface SignedIn {
  sub: string
  /** The session at the portal that the back-channel logout names. */
  sid: string | undefined
  idToken: string
  name: string
  email: string
  locale: string | undefined
  amr: readonly string[]
  authTime: Date
  /** The one that this sign-in is for, and the person's roles there. */
  organization: { id: string; name: string; number: string | null } | undefined
  roles: readonly string[]
}
