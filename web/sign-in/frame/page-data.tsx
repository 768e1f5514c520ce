import type { ReactNode } from 'react'
import type { KeptName } from '#contract/kept.ts'
import { type PageToken, type PublicPage, section, token } from '#contract/sign-in/sign-in-page.ts'

/** What the server filled into the page. The message itself is not among it: the script says it in any language. */
export type PageData = Readonly<Record<Exclude<PageToken, 'errorText' | KeptName>, string>>

const names = [
  'uid',
  'email',
  'emailParameter',
  'signInTo',
  'hue',
  'logo',
  'darkLogo',
  'brandName',
  'logoPlate',
  'ownLogo',
  'error',
  'reference',
  'details',
  'codeSent',
  'passkeyChallenge',
  'passkeyRpId',
  'ask',
  'again',
  'requestId',
  'quarantine',
  'kept',
  'postTo',
  'samlRequest',
  'samlResponse',
  'relayState',
  'privacyUrl',
  'accessibilityUrl',
  'companyName',
  'supportEmail',
  'supportPhone',
  'supportNumber',
] as const satisfies (keyof PageData)[]

const elementId = 'page'
const dataFrom = (read: (name: keyof PageData) => string) =>
  Object.fromEntries(names.map((name) => [name, read(name)])) as PageData

/** Before the server has filled anything in: the marks of the places. */
export const prerenderedData = dataFrom(token)

/** Part of the page, so that the script finds the same values that the server put into the rest of it. */
export function PageDataElement({ page, data }: { page: PublicPage; data: PageData }) {
  const attributes = Object.fromEntries(names.map((name) => [attribute(name), data[name]]))
  return <div hidden id={elementId} data-page={page} {...attributes} />
}

export function readPageData(): { page: PublicPage; data: PageData } {
  const element = document.getElementById(elementId)
  return {
    page: element?.getAttribute('data-page') as PublicPage,
    data: dataFrom((name) => element?.getAttribute(attribute(name)) ?? ''),
  }
}

const attribute = (name: string) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Shows its children where the value is not empty; in a prerendered page they stand between marks that the server resolves. */
export function ShowIf({ data, name, children }: { data: PageData; name: keyof PageData; children: ReactNode }) {
  if (data[name] !== token(name)) return data[name] ? children : null
  const { start, end } = section(name)
  return (
    <>
      {start}
      {children}
      {end}
    </>
  )
}
