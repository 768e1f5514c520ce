/** Who proved what in an interaction. */
export interface Proof {
  accountId: string
  /** The account's at the proof: whatever ends its sessions in the meantime ends this sign-in too. */
  authEpoch: number
  /** RFC 8176: `pwd`, `otp`, … */
  amr: readonly string[]
  /** The interaction began in a session of somebody else, which has ended. */
  forgetSession?: boolean
}

/** What the provider finds in an interaction once it is known who is there. */
export const resultOf = ({ accountId, amr }: Proof) => ({ login: { accountId, amr, remember: false } })
