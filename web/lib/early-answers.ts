/** Answers on their way to questions that were put before the app could put them, by address; each is for one use. */
const answers = new Map<string, Promise<Response>>()
/** What the app has come to ask by itself, with or without an answer that was there already. */
const taken = new Set<string>()
let over = false

/**
 * Asks, and keeps the answer for the call that will want it.
 *
 * @returns what it says; rejects where there is none, where it is a refusal (the call itself finds out why), and where
 * the app has been faster
 */
export async function askAhead<Answer>(url: string): Promise<Answer> {
  if (over || taken.has(url)) throw new Error('the app asks by itself')
  const answer = fetch(url, { headers: { accept: 'application/json' } })
  answers.set(url, answer)
  const response = await answer
  if (!response.ok) throw new Error(`answered ${response.status}`)
  // Whoever takes the answer waits for it too, and reads it after this.
  return response.clone().json()
}

/** @returns a good answer that is there or on its way already, undefined where the call has to ask itself */
export async function takeEarlyAnswer(url: string): Promise<Response | undefined> {
  if (over) return undefined
  const answer = answers.get(url)
  answers.delete(url)
  taken.add(url)
  const response = await answer?.catch(() => undefined)
  return response?.ok ? response : undefined
}

/** From here on every call asks by itself: an answer that nobody has taken by now would be old when somebody did. */
export function endEarlyAnswers(): void {
  over = true
  answers.clear()
  taken.clear()
}
