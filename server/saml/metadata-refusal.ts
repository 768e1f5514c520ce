import type { MessageKey } from '#contract/message-key.ts'
import { Refusal } from './refusal.ts'

/** What a person can do something about. */
export type MetadataProblem = Extract<
  MessageKey,
  | 'metadataExpired'
  | 'metadataCanonicalization'
  | 'metadataDoctype'
  | 'metadataTwoDescriptors'
  | 'metadataNoProvider'
  | 'metadataNoEntity'
  | 'metadataEntityTwice'
>

/** Metadata that is refused for a reason of its own. */
export class MetadataRefusal extends Refusal {
  readonly problem: MetadataProblem

  constructor(problem: MetadataProblem, reason: string) {
    super(reason)
    this.problem = problem
  }
}
