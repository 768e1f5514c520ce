import * as z from 'zod/mini'
import { forceQuery, id, requiredText, url, version } from './fields.ts'
import type { FieldLabels } from './message-key.ts'
import { route } from './route.ts'

export const serviceForm = z.strictObject({ name: requiredText(), url })
export type ServiceForm = z.infer<typeof serviceForm>

export const serviceLabels: FieldLabels<ServiceForm> = { name: 'name', url: 'webAddress' }

export const service = z.object({ serviceId: id, name: z.string(), url: z.string(), version })
export type Service = z.infer<typeof service>

export const services = {
  list: route('GET /api/services', {
    summary: 'All services',
    access: 'manageServices',
    query: z.strictObject({
      sort: z._default(z.optional(z.enum(['name', 'url'])), 'name'),
      sortDirection: z._default(z.optional(z.enum(['asc', 'desc'])), 'asc'),
    }),
    answer: z.array(service),
  }),
  read: route('GET /api/services/{id}', {
    summary: 'One service',
    access: 'manageServices',
    params: z.strictObject({ id }),
    answer: service,
  }),
  create: route('POST /api/services', {
    summary: 'Adds a service',
    access: 'manageServices',
    input: serviceForm,
    answer: service,
    status: 201,
    audit: 'createService',
  }),
  update: route('PUT /api/services', {
    summary: 'Changes a service',
    access: 'manageServices',
    // A field that is left out stays.
    input: z.extend(z.partial(serviceForm), { serviceId: id, version: z.optional(version) }),
    answer: service,
    // A request that changes nothing is not audited.
    audit: { atMost: ['updateService'] },
  }),
  remove: route('DELETE /api/services/{id}', {
    summary: 'Deletes a service; 409 serviceInUse while an organisation has it, unless force=true',
    access: 'manageServices',
    params: z.strictObject({ id }),
    query: forceQuery,
    answer: 'nothing',
    audit: 'deleteService',
  }),
}
