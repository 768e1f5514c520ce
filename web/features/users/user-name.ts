import type { User } from '#contract/users/users.ts'

/** A short name of a user, for one line. */
export const nameOf = ({ firstName, lastName, email: address }: Pick<User, 'firstName' | 'lastName' | 'email'>) =>
  [firstName, lastName].filter(Boolean).join(' ') || address
