/** The people of the demo that journeys sign in as; all with the same password. */
export const people = {
  superUser: 'super@vestibule.example',
  admin: 'admin@nordvik.example',
  user: 'user@nordvik.example',
  both: 'both@nordvik.example',
  colleague: 'anna.andersson@nordvik.example',
} as const
export type DemoEmail = (typeof people)[keyof typeof people]

export const demoPassword = 'Demo-password-1'
