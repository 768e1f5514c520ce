import * as z from 'zod/mini'
import { route } from './route.ts'

/** The description of every call, for people and for tools. In production it is for super users, elsewhere for everybody. */
export const apiDescription = (access: 'public' | 'readApiDescription') => ({
  document: route('GET /api/openapi.json', {
    summary: 'This description as an OpenAPI 3.1 document',
    access,
    answer: z.looseObject({ openapi: z.string() }),
  }),
  page: route('GET /api/docs', {
    summary: 'This description as a page',
    access,
    answer: 'html',
  }),
})
