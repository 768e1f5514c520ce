import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnswerOf } from '#contract/route.ts'
import { serviceClients } from '#contract/service-clients/service-clients.ts'
import { type Service, services } from '#contract/services/services.ts'
import { freshQuery } from '#web/lib/requests/query.ts'

/** A client as it is read, with the last sign-in by it. */
export type ReadClient = AnswerOf<typeof serviceClients.read>

export interface ServiceWithClient {
  service: Service
  client: ReadClient
}

export const readService = (id: string) => freshQuery(services.read, { params: { id } })
export const readClient = (id: string) => freshQuery(serviceClients.read, { params: { id } })

/** Reads a service and its client, as one query. */
export function useServiceWithClient(serviceId: string) {
  const service = useQuery(readService(serviceId))
  const client = useQuery(readClient(serviceId))
  const data = useMemo(
    (): ServiceWithClient | undefined =>
      service.data && client.data ? { service: service.data, client: client.data } : undefined,
    [service.data, client.data],
  )
  return {
    data,
    error: service.error ?? client.error,
    refetch: () => Promise.all([service.refetch(), client.refetch()]),
  }
}
