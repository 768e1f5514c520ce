import { useTranslation } from 'react-i18next'
import { accessRequests } from '#contract/access-requests/access-requests.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Requests a service of the organisation, and says that the admins have been told. */
export function useRequest(organizationId: string) {
  const { t } = useTranslation()
  const save = useSave(accessRequests.create)
  return {
    requesting: save.isPending ? save.variables?.input.serviceId : undefined,
    request: (serviceId: string, name: string) =>
      save.mutate(
        { input: { organizationId, serviceId } },
        { onSuccess: () => toasts.show({ tone: 'success', title: t('accessRequestSent'), content: name }) },
      ),
  }
}
