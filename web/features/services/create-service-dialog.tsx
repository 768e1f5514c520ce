import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { message } from '#contract/fields/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { clientKinds } from '#contract/service-clients/client-addresses.ts'
import { serviceForm, serviceLabels, services } from '#contract/services/services.ts'
import { type CloseDialog, openedFromPage, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { call } from '#web/lib/requests/api.ts'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { newService, ServiceFields } from './service-fields.tsx'

const kinds = ['none', ...clientKinds] as const
type Kind = (typeof kinds)[number]

/** A new service, and what it is: that decides where its sign-in is set up next. */
const newServiceForm = z.extend(serviceForm, {
  kind: z.nullable(z.enum(kinds)).check(z.refine((kind) => kind !== null, message('required'))),
})
const newServiceLabels = { ...serviceLabels, kind: 'serviceKind' } as const

const kindTexts: Readonly<Record<Kind, readonly [MessageKey, MessageKey]>> = {
  none: ['serviceKindLink', 'serviceKindLinkHint'],
  web: ['clientKindWeb', 'clientKindWebHint'],
  singlePage: ['clientKindSinglePage', 'clientKindSinglePageHint'],
  native: ['clientKindNative', 'clientKindNativeHint'],
  machine: ['clientKindMachine', 'clientKindMachineHint'],
}

export function CreateServiceDialog() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const close = useCloseDialog('/services')
  const goOn = useGoOn()
  const made = useRef<{ serviceId: string; kind: Kind }>(undefined)
  const onClose: CloseDialog = (why) => (made.current ? goOn(made.current) : close(why))
  const dialog = useEntityDialog({
    schema: newServiceForm,
    labels: newServiceLabels,
    draftOf: () => ({ ...newService, kind: null as Kind | null }),
    nameOf: ({ name }) => name,
    onClose,
    save: async ({ kind, ...input }) => {
      const { serviceId } = await call(services.create, { input })
      made.current = { serviceId, kind: kind ?? 'none' }
      void queries.invalidateQueries()
    },
  })
  const { form } = dialog
  return (
    <FormDialog {...dialog} size="form" title={t('createService')}>
      <ServiceFields
        form={form}
        beforeMore={
          <Controller
            control={form.form.control}
            name="kind"
            render={({ field: { value, onChange, name, ref, onBlur } }) => (
              <RadioCards
                ref={ref}
                id={form.field('kind').id}
                name={name}
                legend={form.field('kind').label}
                options={kinds.map((one) => ({ value: one, label: t(kindTexts[one][0]), hint: t(kindTexts[one][1]) }))}
                value={value}
                onBlur={onBlur}
                onChange={onChange}
                error={form.field('kind').error}
              />
            )}
          />
        }
      />
    </FormDialog>
  )
}

/** To the next step: the page of its sign-in; of a link, which has none, the service itself. */
function useGoOn() {
  const navigate = useNavigate()
  const opened = useLocation({ select: ({ state }) => state.openedFromPage })
  return ({ serviceId, kind }: { serviceId: string; kind: Kind }) =>
    kind === 'none'
      ? void navigate({
          to: '/services/$serviceId',
          params: { serviceId },
          search: true,
          replace: true,
          ignoreBlocker: true,
          ...(opened && { state: openedFromPage }),
        })
      : void navigate({
          to: '/services/$serviceId/sign-in',
          params: { serviceId },
          search: { kind },
          replace: true,
          ignoreBlocker: true,
        })
}
