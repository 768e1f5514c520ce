import { useEffect, useState } from 'react'
import type { AnswerOf, InputOf } from '#contract/route.ts'
import type { SecondFactorKind } from '#contract/second-factors.ts'
import type { secondFactor } from '#contract/sign-in/second-factor.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { findChoices, findCodeDelivery, startSecondFactor } from '../frame/calls.ts'
import { awaitSms } from './await-sms.ts'

type Sending = InputOf<typeof secondFactor.start>
type Choices = AnswerOf<typeof secondFactor.choices>

export const codeLength = 6
/** Milliseconds; what the server counts by, which is told by no call. */
const coolDown = 30_000
const lifetime = 10 * 60_000
const tries = 5

/**
 * A code on its way, or one that the person has at hand; `null` where only a recovery code or BankID is left. Without `by` it was
 * asked for before this page came, and nothing more is known of it.
 */
interface Sent {
  by: SecondFactorKind | null | undefined
  /** When, by this browser's clock. */
  at: number
  wrongTries: number
  /** The browser was asked for a key, and none came. */
  withoutKey?: boolean
}

export type Code = ReturnType<typeof useCode>

/** The code of a sign-in: what was sent, what is typed, and when another one can be had. */
export function useCode({ sentBefore, mistake: firstMistake }: { sentBefore: boolean; mistake: string | undefined }) {
  const [sent, setSent] = useState<Sent | undefined>(sentBefore ? { by: undefined, at: 0, wrongTries: 0 } : undefined)
  const [digits, setDigits] = useState('')
  const [mistake, setMistake] = useState<string | undefined>(firstMistake)
  const [nextAt, setNextAt] = useState({ email: 0, sms: 0 })
  const [own, setOwn] = useState<Choices>()
  const stuck = useStuckSms(sent)

  /** Without a way to send it, the code comes as the person has chosen. */
  const send = async (sending: Sending) => {
    const { codeDeliveryType } = sending
    const waitUntil = (then: number, by: string = codeDeliveryType ?? 'email') =>
      setNextAt((present) => ({ ...present, [by]: then }))
    try {
      await startSecondFactor(sending)
    } catch (error) {
      if (error instanceof ApiProblem && error.retryAfter) waitUntil(Date.now() + error.retryAfter * 1000)
      throw error
    }
    const at = Date.now()
    // Whatever is asked for: the field takes each code that the person has.
    const choices = own ?? (await findChoices().catch(() => undefined))
    setOwn(choices)
    const by = codeDeliveryType ?? (choices ? choices.asked : 'email')
    setSent({ by, at, wrongTries: 0 })
    if (by) waitUntil(at + coolDown, by)
    setDigits('')
    setMistake(undefined)
  }
  const refuse = () => {
    const wrongTries = (sent?.wrongTries ?? 0) + 1
    const over = sent?.by !== undefined && (wrongTries >= tries || Date.now() - sent.at > lifetime)
    setMistake(over ? 'codeOver' : 'invalidCode')
    if (sent) setSent({ ...sent, wrongTries })
  }
  return {
    sent,
    /** What else the person has, once that is known. */
    kinds: own?.kinds,
    hasRecoveryCodes: own?.recoveryCodes ?? false,
    phoneUnconfirmed: own?.phoneUnconfirmed ?? false,
    hasBankId: own?.bankid ?? false,
    /** Asks for what the person has at hand. */
    ask: (by: SecondFactorKind) => {
      setSent({ by, at: Date.now(), wrongTries: 0 })
      setDigits('')
      setMistake(undefined)
    },
    /** The person ended the question for a key, or the browser found none. */
    noKey: () => setSent((present) => present && { ...present, withoutKey: true }),
    digits,
    /** Key of what is wrong with the code. */
    mistake,
    /** When another code can be sent by each channel; neither waits for the other, nor for an SMS that was not sent. */
    nextAt: stuck ? { ...nextAt, sms: 0 } : nextAt,
    stuck,
    send,
    type: (typed: string) => {
      setDigits(typed)
      setMistake(undefined)
    },
    complain: () => setMistake('codeIncomplete'),
    refuse,
    /** Back to the password alone. */
    forget: () => {
      setSent(undefined)
      setMistake(undefined)
    },
  }
}

/** Whether the SMS that was asked for has not left: the gateway is down, or too slow to be waited for. */
function useStuckSms(sent: Sent | undefined): boolean {
  const [stuck, setStuck] = useState<number>()
  const at = sent?.by === 'sms' ? sent.at : undefined
  useEffect(() => {
    if (at !== undefined) return awaitSms({ ask: findCodeDelivery, onStuck: () => setStuck(at) })
  }, [at])
  return at !== undefined && stuck === at
}
