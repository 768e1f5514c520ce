/** The audit events of the form that completes a sign-in. `logout`: it ends another person's session in this browser. */
export const signInEvents = ['loginSuccess', 'loginFailure', 'logout'] as const
