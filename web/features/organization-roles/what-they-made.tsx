import { lazy, Suspense } from 'react'
import type { MadeThingsProps } from './made-things.tsx'

const MadeThings = lazy(async () => ({ default: (await import('./made-things.tsx')).MadeThings }))

/** What somebody has made that loses its right with theirs; loaded where a role is taken. */
export const WhatTheyMade = (props: MadeThingsProps) => (
  <Suspense>
    <MadeThings {...props} />
  </Suspense>
)
