import { useState } from 'react'
import { invitations } from '#contract/invitations/invitations.ts'
import type { User } from '#contract/users/users.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'

type Answer = 'cancelled' | 'invite' | { unprovenReason: string }
type Named = Pick<User, 'email' | 'openedFor'> & { name: string }

export interface UnprovenQuestion extends Named {
  /** Invitations can take the place of all that the change adds. */
  mayInvite: boolean
  answer: (answer: Answer) => void
}

interface Change {
  person: Named
  /** The organisations that an invitation can take the place of. */
  added: readonly string[]
  send: (more: { unprovenReason?: string }) => Promise<unknown>
  /** Saves the rest, without what is added. */
  withoutAdded: () => Promise<unknown>
}

/**
 * Saves a change, and asks where it gives access to an account whose address nobody has proven.
 *
 * @returns `save`, which gives false if the super user thinks better of it
 */
export function useUnproven() {
  const [question, setQuestion] = useState<UnprovenQuestion>()
  const invite = useSave(invitations.invite, { inline: true })
  const ask = (person: Named, mayInvite: boolean) =>
    new Promise<Answer>((resolve) =>
      setQuestion({
        ...person,
        mayInvite,
        answer: (answer) => {
          setQuestion(undefined)
          resolve(answer)
        },
      }),
    )
  const save = async ({ person, added, send, withoutAdded }: Change): Promise<boolean> => {
    try {
      await send({})
    } catch (error) {
      if (!(error instanceof ApiProblem && error.message === 'addressNotProven')) throw error
      const answer = await ask(person, added.length > 0)
      if (answer === 'cancelled') return false
      if (answer !== 'invite') {
        await send(answer)
        return true
      }
      await withoutAdded()
      for (const organizationId of added)
        await invite.mutateAsync({
          input: {
            email: person.email,
            organizationId,
            userRole: 'regular',
            message: null,
            guest: false,
            language: null,
          },
        })
    }
    return true
  }
  return { save, question }
}
