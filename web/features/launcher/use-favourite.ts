import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type LauncherService, launcher } from '#contract/launcher/launcher.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'

/** Stars a service straight away, and keeps the focus on its star, which moves to another group. */
export function useFavourite(params: { accountId: string; organizationId: string }) {
  const client = useQueryClient()
  const save = useSave(launcher.setFavourite)
  const moved = useRef<string>(undefined)
  useEffect(() => {
    if (!moved.current) return
    document.querySelector<HTMLElement>(`[data-star="${moved.current}"]`)?.focus()
    moved.current = undefined
  })
  return ({ serviceId, favourite }: LauncherService) => {
    const { queryKey } = query(launcher.services, { params })
    const put = (to: boolean) =>
      client.setQueryData(queryKey, (list: LauncherService[] = []) =>
        list.map((one) => (one.serviceId === serviceId ? { ...one, favourite: to } : one)),
      )
    put(!favourite)
    moved.current = serviceId
    save.mutate({ params: { serviceId }, input: { favourite: !favourite } }, { onError: () => put(favourite) })
  }
}
