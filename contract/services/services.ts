import * as z from 'zod/mini'
import {
  forceQuery,
  id,
  limited,
  message,
  optionalText,
  requiredText,
  timestamp,
  url,
  version,
} from '#contract/fields/fields.ts'
import { optionalName, requiredName } from '#contract/fields/names.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { serviceIcon } from './service-icons.ts'

/** Optional fields that are left out keep their value, or are empty in a new service. */
export const serviceForm = z.strictObject({
  name: requiredName(),
  url,
  description: z.optional(optionalText(500)),
  /** The heading of its group in the launcher. */
  category: z.optional(optionalName(60)),
  icon: z.optional(serviceIcon),
  /** Members of an organisation that has the service may request access. */
  requestable: z.optional(z.boolean()),
})
export type ServiceForm = z.infer<typeof serviceForm>

export const serviceLabels: FieldLabels<ServiceForm> = {
  name: 'name',
  url: 'webAddress',
  description: 'description',
  category: 'category',
  icon: 'icon',
  requestable: 'requestable',
}

export const service = z.object({
  serviceId: id,
  name: z.string(),
  url: z.string(),
  description: z.nullable(z.string()),
  category: z.nullable(z.string()),
  /** The name of a glyph, or the address of an uploaded PNG. */
  icon: z.nullable(z.string()),
  requestable: z.boolean(),
  version,
})
export type Service = z.infer<typeof service>

export const categoryOrder = z.strictObject({
  categories: z.array(requiredText(60)).check(
    limited(200),
    z.refine((names) => new Set(names).size === names.length, message('duplicateCategory')),
  ),
})

/** A service in the list, with its sign-in. */
export const listedService = z.extend(service, {
  /** When somebody last signed in to it, to the hour. */
  lastSignIn: z.nullable(timestamp),
  /** Whether people can sign in to it: a client is registered. */
  signInSetUp: z.boolean(),
})
export type ListedService = z.infer<typeof listedService>

/** Seats in use of a service, over all organisations. */
const servicePeople = z.object({ serviceId: id, people: z.int() })

// An icon of 64 KB is longer in base64.
const bodyLimit = 128 * 1024

export const services = {
  list: route('GET /api/services', {
    summary: 'All services',
    access: 'readServices',
    mayLag: true,
    query: z.strictObject({
      sort: z._default(z.optional(z.enum(['name', 'url'])), 'name'),
      sortDirection: z._default(z.optional(z.enum(['asc', 'desc'])), 'asc'),
    }),
    answer: z.array(listedService),
  }),
  // Not in the list, which is read for its names in many places: the sum goes through what every organisation has.
  people: route('GET /api/service-people', {
    summary: 'How many people have each service, over all organisations; services that no one has are left out',
    access: 'readServices',
    mayLag: true,
    answer: z.array(servicePeople),
  }),
  read: route('GET /api/services/{id}', {
    summary: 'One service',
    access: 'readServices',
    params: z.strictObject({ id }),
    answer: service,
  }),
  create: route('POST /api/services', {
    summary: 'Adds a service',
    access: 'manageServices',
    input: serviceForm,
    bodyLimit,
    answer: service,
    status: 201,
    audit: 'createService',
  }),
  update: route('PUT /api/services', {
    takesBack: '/api/services/{serviceId}',
    summary: 'Changes a service',
    access: 'manageServices',
    // A field that is left out stays.
    input: z.extend(z.partial(serviceForm), { serviceId: id, version: z.optional(version) }),
    bodyLimit,
    answer: service,
    // A request that changes nothing is not audited.
    audit: { atMost: ['updateService'] },
  }),
  remove: route('DELETE /api/services/{id}', {
    summary: 'Deletes a service; 409 serviceInUse while an organisation has it, unless force=true',
    access: 'manageServices',
    freshProof: true,
    params: z.strictObject({ id }),
    query: forceQuery,
    answer: 'nothing',
    audit: 'deleteService',
  }),
  categories: route('GET /api/service-categories', {
    summary: 'The categories of all services, in the order of the launcher',
    access: 'readServices',
    answer: z.array(z.string()),
  }),
  orderCategories: route('PUT /api/service-categories', {
    summary: 'Sets the order of the categories; those left out come last, by name',
    access: 'manageServices',
    input: categoryOrder,
    answer: 'nothing',
    audit: { atMost: ['orderServiceCategories'] },
  }),
}
