import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import type { Person } from '#server/credentials/people.repository.ts'
import { Refusal, type RefusalKey } from '#server/saml/refusal.ts'

interface About {
  person: Person | undefined
  email: string | undefined
}

/** A valid response that is refused because of the person it names. */
export class PersonRefusal extends Refusal {
  readonly about: About

  constructor(reason: string, failure: SamlFailure, about: About, key?: RefusalKey) {
    super(reason, { failure, key })
    this.about = about
  }
}
