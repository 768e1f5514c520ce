import * as z from 'zod/mini'
import { id, message, requiredText } from './fields.ts'
import { route } from './route.ts'

/** An address of the web: http or https. The server never fetches it. */
export const webAddress = z.string(message('required')).check(
  z.trim(),
  // A scheme is the same in capitals; it is kept in small letters.
  z.overwrite((text) => text.replace(/^https?:/i, (scheme) => scheme.toLowerCase())),
  z.minLength(1, { error: message('required'), abort: true }),
  z.maxLength(2000, message('tooLong')),
  z.refine((text) => /^https?:\/\/[^\s/?#@\\]+/i.test(text) && URL.canParse(text), message('invalidUrl')),
)

/** Counts the changes of an entity; sent back, it keeps one admin from overwriting another's change. */
export const version = z.int().check(z.minimum(1))

export const serviceForm = z.strictObject({ name: requiredText(), url: webAddress })
export type ServiceForm = z.infer<typeof serviceForm>

export const service = z.object({ serviceId: id, name: z.string(), url: z.string(), version })
export type Service = z.infer<typeof service>

/** Whether what hangs on a deleted thing may go with it; a person was asked first. */
export const forceQuery = z.strictObject({ force: z.optional(z.enum(['true', 'false'])) })

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
    input: z.extend(serviceForm, { serviceId: id, version: z.optional(version) }),
    answer: service,
    audit: 'updateService',
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
