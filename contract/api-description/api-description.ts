import * as z from 'zod/mini'
import { route } from '#contract/route.ts'

/** The description of every call, as HTML and OpenAPI. In production for super users only, otherwise public. */
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
