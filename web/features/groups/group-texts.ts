import type { MemberSource } from '#contract/groups/group-people.ts'
import type { MessageKey } from '#contract/message-key.ts'

/** Who put somebody in a group. */
export const sourceTexts = {
  hand: 'groupByHand',
  rule: 'groupByRule',
  directory: 'groupByDirectory',
} as const satisfies Record<MemberSource, MessageKey>
