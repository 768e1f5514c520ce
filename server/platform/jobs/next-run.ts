const minute = 60_000

/**
 * When a job runs next, in UTC.
 *
 * @param cron minute and hour, each a number, every one, or every n-th one, then `* * *`
 * @throws Error for any other expression
 */
export function nextRun(cron: string, now: Date): Date {
  const [minutes, hours, ...days] = cron.split(' ')
  if (days.join(' ') !== '* * *') throw new Error(`${cron}: a job runs on every day`)
  const isMinute = matcher(minutes)
  const isHour = matcher(hours)
  const begin = Math.floor(now.getTime() / minute) + 1
  for (let count = begin; count <= begin + 24 * 60; count++) {
    const time = new Date(count * minute)
    if (isMinute(time.getUTCMinutes()) && isHour(time.getUTCHours())) return time
  }
  throw new Error(`${cron} never comes`)
}

function matcher(field = ''): (value: number) => boolean {
  const every = /^\*(?:\/([1-9][0-9]?))?$/.exec(field)
  if (every) return (value) => value % Number(every[1] ?? 1) === 0
  if (!/^[0-9]{1,2}$/.test(field)) throw new Error(`${field} is neither a number nor * nor */n`)
  return (value) => value === Number(field)
}
