/** What one question may ask for at most. */
const most = 100
/** How many questions may be out before those that come meanwhile wait, and go together. */
const atOnce = 2
/** Milliseconds after which a question that is still out holds up nobody any more. */
const patience = 50

interface Question<Key, Answer> {
  key: Key
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/**
 * Puts questions that come in the same turn of the event loop, or while others are out, together into one. A question
 * that comes alone goes out at once all the same: nothing waits for company.
 *
 * @param ask answers the keys in their order, and begins after all of them were asked
 */
export function askedTogether<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  const gathered: Question<Key, Answer>[] = []
  let scheduled = false
  let out = 0

  async function send(questions: readonly Question<Key, Answer>[]): Promise<void> {
    let counts = true
    const settle = () => {
      if (!counts) return
      counts = false
      out--
      sendSoon()
    }
    out++
    const timer = setTimeout(settle, patience)
    try {
      const answers = await ask(questions.map(({ key }) => key))
      questions.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer)
      })
    } catch (error) {
      for (const { reject } of questions) reject(error)
    } finally {
      clearTimeout(timer)
      settle()
    }
  }

  function sendSoon(): void {
    if (scheduled || gathered.length === 0 || out >= atOnce) return
    scheduled = true
    // After everything that has arrived by now was read.
    setImmediate(() => {
      scheduled = false
      while (gathered.length > 0 && out < atOnce) void send(gathered.splice(0, most))
    })
  }

  return (key) =>
    new Promise((resolve, reject) => {
      gathered.push({ key, resolve, reject })
      sendSoon()
    })
}
