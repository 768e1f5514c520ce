import { type ClientKind, clientKinds } from '#contract/service-clients/client-addresses.ts'
import { sortSearch } from '#web/lib/lists/list-search.ts'

/** The search parameters of the list of services. */
export const servicesSearch = sortSearch(['name', 'url'])

export const signInTabs = ['connect', 'developers', 'signOuts', 'advanced'] as const
export type SignInTab = (typeof signInTabs)[number]

interface SignInSearch {
  tab?: SignInTab
  /** What a service without a client was said to be when it was created. */
  kind?: ClientKind
}

/** The search parameters of the page of a service's sign-in; the first tab is left out. */
export const signInSearch = ({ tab, kind }: Record<string, unknown>): SignInSearch => {
  const chosenTab = signInTabs.find((one) => one === tab && one !== 'connect')
  const chosenKind = clientKinds.find((one) => one === kind)
  return { ...(chosenTab && { tab: chosenTab }), ...(chosenKind && { kind: chosenKind }) }
}
