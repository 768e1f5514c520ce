import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientKind } from '#contract/service-clients/client-addresses.ts'
import { clientLabels } from '#contract/service-clients/client-form.ts'
import { type ServiceClient, serviceClients } from '#contract/service-clients/service-clients.ts'
import { useEntityForm } from '#web/lib/forms/entity-form.ts'
import { call, send } from '#web/lib/requests/api.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { type ClientDraft, clientDraft, draftOf as draftOfClient, formOf } from './client-draft.ts'
import { readClient } from './read-service.ts'

interface ClientFormOptions {
  /** What a service without a client was said to be when it was created. */
  newKind: ClientKind | undefined
  onSaved: (isNew: boolean) => void
}

/** The form of a service's client, the secret that a save has made, and the question before a client is taken away. */
export function useClientForm(serviceId: string, entity: ServiceClient, { newKind, onSaved }: ClientFormOptions) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [newSecret, setNewSecret] = useState<string>()
  const [question, setQuestion] = useState<{ answer: (yes: boolean) => void }>()
  const reload = () => queries.fetchQuery(readClient(serviceId))
  const params = { id: serviceId }
  const draftOf = (client: Partial<ServiceClient>): ClientDraft => ({
    ...draftOfClient(client),
    ...(client.kind === 'none' && newKind && { kind: newKind }),
  })

  const confirmed = () =>
    new Promise<boolean>((resolve) =>
      setQuestion({
        answer: (yes) => {
          setQuestion(undefined)
          resolve(yes)
        },
      }),
    )

  const form = useEntityForm({
    schema: clientDraft,
    labels: clientLabels,
    entity,
    draftOf,
    reload,
    save: async (values, { version, kind }) => {
      const input = formOf(values)
      if (input) {
        const answer = await call(serviceClients.save, { params, input: { ...input, version } })
        setNewSecret(answer.newSecret ?? undefined)
      } else if (kind !== 'none') {
        if (!(await confirmed())) return
        await send(serviceClients.remove, { params })
      }
      const present = await reload()
      form.rebase(present, form.form.getValues())
      toasts.show({ tone: 'success', title: t('updated') })
      onSaved(kind === 'none')
    },
  })
  return { form, reload, newSecret, showSecret: setNewSecret, question }
}
