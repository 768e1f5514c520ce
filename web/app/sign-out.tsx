const id = 'sign-out'

/** Signing out is a form that the browser posts, so that the server's redirect takes the whole page along. */
export function SignOutForm() {
  return <form id={id} method="post" action="/logout" hidden />
}

export function signOut(): void {
  const form = document.getElementById(id)
  if (form instanceof HTMLFormElement) form.requestSubmit()
}
