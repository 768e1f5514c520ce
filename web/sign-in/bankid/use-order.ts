import { useCallback, useEffect, useRef, useState } from 'react'
import type { BankidState } from '#contract/sign-in/bankid.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { problemOf } from '../frame/form-problem.tsx'
import { findOrder, startOrder } from './bankid-calls.ts'
import { returnMark } from './bankid-launch.ts'
import { followOrder, type News, pace } from './follow-order.ts'

/** Where the app is that an order is for. */
export type Device = BankidState['device']

/** How far a sign-in with BankID has come in this page. */
export type Progress =
  /** With `trouble` the portal cannot be reached, and is asked again. */
  | { name: 'starting'; trouble: boolean }
  | { name: 'running'; trouble: boolean; state: BankidState }
  /** The person is known; the form that completes the sign-in can be sent. */
  | { name: 'done' }
  | { name: 'over'; problem: Failure }

interface Start {
  uid: string
  email: string
  /** Key of the previous sign-in's failure: the next order starts when the user asks for it. */
  mistake: string | undefined
  /** For which device an order starts without a click. */
  device: Device
  /** Somebody has opened the app on this device: an order that is not opened in it has failed then, and is not renewed. */
  opened: boolean
  /** The interaction is over. */
  onGone: () => void
}

/** Starts an order for this page, or resumes the one that it started before a reload, and polls it. */
export function useOrder({ uid, email, mistake, device, opened, onGone }: Start) {
  const [progress, go] = useState<Progress>(
    mistake ? { name: 'over', problem: { message: mistake } } : { name: 'starting', trouble: false },
  )
  const latest = useRef({ opened, onGone })
  latest.current = { opened, onGone }
  const stop = useRef(() => {})

  const follow = useCallback(
    (wait: number) => {
      const ask = () => findOrder(uid, latest.current)
      const tell = (news: News) =>
        news.name === 'gone' ? latest.current.onGone() : go((before) => after(before, news))
      stop.current()
      stop.current = followOrder({ ask, tell, page: document, wait })
    },
    [uid],
  )
  const start = useCallback(
    async (device: Device) => {
      stop.current()
      go({ name: 'starting', trouble: false })
      let left = false
      stop.current = () => {
        left = true
      }
      try {
        const state = await startOrder(uid, device === 'this' ? { email, device } : { email })
        if (left) return
        markOrder()
        go((before) => after(before, { name: 'state', state }))
        follow(pace)
      } catch (error) {
        if (left) return
        if (error instanceof ApiProblem && error.message === 'notFound') latest.current.onGone()
        else go({ name: 'over', problem: problemOf(error) })
      }
    },
    [uid, email, follow],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => {
    // Someone who comes back from the app, or reloads the page, may have signed by now.
    if (hasOrder()) follow(0)
    else if (!mistake) void start(device)
    return () => stop.current()
  }, [])

  return { progress, start }
}

function after(before: Progress, news: Exclude<News, { name: 'gone' }>): Progress {
  if (news.name === 'trouble') {
    return 'trouble' in before ? { ...before, trouble: true } : before
  }
  const { state } = news
  if (state.status === 'complete') return { name: 'done' }
  if (state.status === 'failed') return { name: 'over', problem: { message: state.message } }
  return { name: 'running', state, trouble: false }
}

/** Kept with this entry of the browser's history: another address typed in is another entry, and another order. */
const markOrder = () => history.replaceState({ bankId: true }, '')
const hasOrder = () => location.hash === returnMark || (history.state as { bankId?: true } | null)?.bankId === true
