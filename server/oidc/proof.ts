/** Who proved what in an interaction. */
export interface Proof {
  accountId: string
  /** The account's at the proof: whatever ends its sessions in the meantime ends this sign-in too. */
  authEpoch: number
  /** RFC 8176: `pwd`, `otp`, … */
  amr: readonly string[]
  /** The person is pending, and this is the sign-in that the accepted invitation waits for: see `awaitsFirstSignIn`. */
  activates?: boolean
  /** It holds only where the same statement uses up what the expression `used` names, such as a ticket. */
  usesUp?: boolean
  /** The interaction began in a session of somebody else, which has ended. */
  forgetSession?: boolean
}

/** What the provider finds in an interaction once it is known who is there. */
export const resultOf = ({ accountId, amr }: Proof) => ({ login: { accountId, amr, remember: false } })
