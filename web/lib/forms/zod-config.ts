import * as z from 'zod/mini'

// Compiling a schema into a function is what the content security policy forbids.
z.config({ jitless: true })
