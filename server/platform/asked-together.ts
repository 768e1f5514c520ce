/** What one question may ask for at most. */
const most = 100

interface Question<Key, Answer> {
  key: Key
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/**
 * Puts questions that come in the same turn of the event loop together into one. A question that comes alone goes out
 * at once all the same: nothing waits for company.
 *
 * @param ask answers the keys in their order, and begins after all of them were asked
 */
export function askedTogether<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  let gathered: Question<Key, Answer>[] = []

  async function send(questions: readonly Question<Key, Answer>[]): Promise<void> {
    try {
      const answers = await ask(questions.map(({ key }) => key))
      questions.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer)
      })
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }

  function sendAll(): void {
    const questions = gathered
    gathered = []
    for (let from = 0; from < questions.length; from += most) void send(questions.slice(from, from + most))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      // After everything that has arrived by now was read.
      if (gathered.length === 0) setImmediate(sendAll)
      gathered.push({ key, resolve, reject })
    })
}
