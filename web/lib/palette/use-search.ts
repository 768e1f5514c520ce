import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Failure, useFailure } from '#web/lib/requests/loaded.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { matchingCommands, type PaletteCommand, wordsOf } from './palette-command.ts'

/** One letter finds half of everybody. */
const searchFrom = 2
const pause = 250
/** The rest is in the list that "show all" leads to. */
const rowsShown = 5

/** What the palette has found, under its heading. */
export interface Found {
  label: string
  commands: PaletteCommand[]
  searching: boolean
  failure: Failure | undefined
}

/** What a room gives the palette to find its things by. */
export interface Finder {
  useFound: (text: string) => Found
}

interface Page {
  totalCount: number
  /** There are more than `totalCount`. */
  hasMore?: boolean
  items: readonly unknown[]
}

interface Search<Answer extends Page> {
  /** The heading. */
  label: string
  /** What is typed now. */
  text: string
  /** Whether this person may ask at all. */
  allowed: boolean
  ask: (searchQuery: string) => UseQueryOptions<Answer, Error, Answer, QueryKey>
  toCommand: (row: Answer['items'][number]) => PaletteCommand
  /** Leads to all of them, where there are more than are shown. */
  toAll: (searchQuery: string, count: number, hasMore?: boolean) => PaletteCommand
}

/** Asks the server once the typing pauses; an outdated request is cancelled. */
export function useSearch<Answer extends Page>({ label, text, allowed, ask, toCommand, toAll }: Search<Answer>): Found {
  const language = useLanguage()
  const wanted = text.trim()
  const asked = useSettled(wanted)
  const enabled = allowed && asked.length >= searchFrom
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...ask(asked), enabled })
  const failure = useFailure({ error, refetch })
  if (!allowed || wanted.length < searchFrom) return { label, commands: [], searching: false, failure: undefined }

  const rows = (data?.items ?? []).map((row) => toCommand(row))
  const answered = asked === wanted && data !== undefined && !isPlaceholderData
  const more = answered && data.totalCount > rowsShown ? [toAll(asked, data.totalCount, data.hasMore)] : []
  // Rows that answer another text stay where they answer this one too: nobody opens what they did not ask for.
  const commands = answered ? rows : matchingCommands(rows, wordsOf(wanted, language), language)
  const failed = failure && asked === wanted && !answered
  return {
    label,
    commands: [...commands.slice(0, rowsShown), ...more],
    searching: !answered && !failed,
    failure: failed ? failure : undefined,
  }
}

/** The text, once it has rested. */
function useSettled(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
