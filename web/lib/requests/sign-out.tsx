const id = 'sign-out'

/** Signing out is a form that the browser posts, so that the server's redirect takes the whole page along. */
export function SignOutForm() {
  return <form id={id} method="post" action="/logout" hidden />
}

let leaving = false
const stay = () => {
  leaving = false
}

/** True while the person signs out: the end of the session is then expected, and must not lead elsewhere. */
export const isSigningOut = (): boolean => leaving

export function signOut(): void {
  const form = document.getElementById(id)
  if (!(form instanceof HTMLFormElement)) return
  leaving = true
  // The page was restored from the browser's cache: the user has not left.
  addEventListener('pageshow', stay, { once: true })
  form.requestSubmit()
}
