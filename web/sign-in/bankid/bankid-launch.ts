/** Where the page is looked at. A tablet counts as a phone: it may have the BankID app. */
export type Device = 'computer' | 'android' | 'ios'

type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

export function deviceOf({ userAgent, maxTouchPoints }: Browser): Device {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  // An iPad says that it is a Mac, but no Mac has a touch screen.
  return /macintosh/i.test(userAgent) && maxTouchPoints > 1 ? 'ios' : 'computer'
}

/** In the address that the app leads back to: this page looks after its order, and begins no other. */
export const returnMark = '#bankid'

interface Launch {
  token: string
  browser: Browser
  /** The address of this page. */
  page: string
}

/**
 * The address that opens the BankID app on this device. Where the app leads after an identification BankID knows from the
 * order itself (`bankid.back` of the contract), and that comes before what stands here.
 */
export function launchAddress({ token, browser, page }: Launch): string {
  const device = deviceOf(browser)
  const start = device === 'computer' ? 'bankid:///' : 'https://app.bankid.com/'
  // A computer and Android come back to this browser by themselves.
  const back = device === 'ios' ? encodeURIComponent(wayBack(browser.userAgent, page)) : 'null'
  return `${start}?autostarttoken=${encodeURIComponent(token)}&redirect=${back}`
}

/** iOS opens every address in Safari: other browsers are called by names of their own, and show what they showed. */
function wayBack(userAgent: string, page: string): string {
  if (/crios/i.test(userAgent)) return 'googlechrome://'
  if (/fxios/i.test(userAgent)) return 'firefox://'
  const marked = page.replace(/#.*$|$/, returnMark)
  return /edgios/i.test(userAgent) ? `microsoft-edge-${marked}` : marked
}
