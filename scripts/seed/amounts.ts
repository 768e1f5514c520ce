/** How much to add. */
export interface Amounts {
  users: number
  organizations: number
  services: number
  assignments: number
}

/** Statements in order, each with the table that it fills. No sequence reads what another one fills. */
export type Sequence = readonly { table: string; statement: string }[]
