import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { invitations, type OwnInvitation } from '#contract/invitations/invitations.ts'
import { launcher } from '#contract/launcher/launcher.ts'
import { storeOrganization } from '#web/lib/organization/current-organization.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Accepts or declines an invitation. It is removed from the page afterwards, also when it is no longer valid. */
export function useAnswer() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me, organizations = [], heldBack } = useSignedIn()
  const router = useRouter()
  const join = useSave(invitations.join, { inline: true })
  const decline = useSave(invitations.decline, { inline: true })

  const remove = ({ invitationId }: OwnInvitation) =>
    client.setQueryData(query(invitations.mine).queryKey, (list: OwnInvitation[] = []) =>
      list.filter((one) => one.invitationId !== invitationId),
    )
  /** Selects the organisation that the user has just joined. */
  const selectJoined = async () => {
    const before = new Set([...organizations, ...heldBack].map(({ organizationId }) => organizationId))
    const present = await client.fetchQuery({
      ...query(launcher.organizations, { params: { id: me.accountId } }),
      staleTime: 0,
    })
    const joined = present.find(({ organizationId }) => !before.has(organizationId))
    if (joined?.needs) return router.navigate({ to: '/enter/$organizationId', params: joined })
    if (joined) storeOrganization(joined.organizationId)
  }

  /** @returns whether the invitation was removed */
  const answer = async (
    save: typeof join,
    invitation: OwnInvitation,
    done: 'invitationAccepted' | 'invitationDeclined',
  ) => {
    const { invitationId, organizationName: name } = invitation
    try {
      await save.mutateAsync({ params: { id: invitationId } })
      toasts.show({ tone: 'success', title: t(done), content: name })
    } catch (error) {
      const gone = error instanceof ApiProblem && error.status === 404
      toasts.show({ tone: 'danger', title: gone ? t('invitationGone', { name }) : problemText(error as Error) })
      if (!gone) return false
    }
    remove(invitation)
    return true
  }
  return {
    accept: async (invitation: OwnInvitation) => {
      const gone = await answer(join, invitation, 'invitationAccepted')
      // The list of organisations shows its own loading error.
      if (gone) await selectJoined().catch(() => undefined)
      return gone
    },
    decline: (invitation: OwnInvitation) => answer(decline, invitation, 'invitationDeclined'),
    accepting: join.isPending ? join.variables?.params.id : undefined,
    declining: decline.isPending,
  }
}
