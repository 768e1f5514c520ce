import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { allUsersQuery, organizationUsersQuery } from './user-filters.ts'

/** Lists as files, with the search, filters and order of the list. */
export const userExports = {
  all: route('GET /api/users/export', {
    summary: 'The same list as a file, without personal numbers',
    access: 'readAllUsers',
    mayLag: true,
    freshProof: true,
    query: z.omit(allUsersQuery, { page: true }),
    answer: 'csv',
    audit: 'exportUsers',
  }),
  ofOrganization: route('GET /api/organizations/{id}/users/export', {
    summary: "An organisation's list as a file, without personal numbers",
    access: 'readPeople',
    mayLag: true,
    freshProof: true,
    params: z.strictObject({ id }),
    target: ({ params }) => ({ organizationId: params.id }),
    query: z.omit(organizationUsersQuery, { page: true }),
    answer: 'csv',
    audit: 'exportUsers',
  }),
}
