import type { MessageKey } from '#contract/message-key.ts'

/** From where to where an extension moves last days. */
export interface Extension {
  /** What ends until this day is extended. */
  soon: string
  until: string
}

/** A last day that is near, or over. */
export interface NearEnd {
  validUntil: string
  /** Why the actor may not extend it. */
  stays: MessageKey | undefined
}

/** Whether an extension moves this last day: the one question for memberships, services and roles of every kind. */
export const isNear = <End extends { validUntil: string | null }>(
  one: End,
  { soon, until }: Extension,
): one is End & { validUntil: string } => one.validUntil !== null && one.validUntil <= soon && one.validUntil < until
