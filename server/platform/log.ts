import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

const secretNames = [
  ...['password', 'newPassword', 'oldPassword', 'confirmNewPassword', 'secret', 'token', 'code', 'ticket'],
  ...['ssn', 'phoneNumber', 'email', 'login', 'cookie', 'authorization', '["set-cookie"]'],
]

/**
 * The log: one JSON object per line. It names route templates, never raw URLs, and holds no secret or personal number:
 * the paths below are redacted in every entry, and secrets have a type that prints as `[secret]`.
 *
 * @param destination where lines go; standard output by default
 * @param swallows says of the first argument of a line that another line stands for it
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  swallows: (entry: unknown) => boolean = () => false,
): Logger {
  const options: LoggerOptions = {
    level,
    hooks: {
      logMethod(args, method) {
        if (swallows(args[0])) return
        const words = args.map((one: unknown) => (typeof one === 'string' ? withoutPersonalData(one) : one))
        method.apply(this, words as typeof args)
      },
    },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        errorCode: error.code,
        // The detail of a database error quotes values, so it is left out.
        message: withoutPersonalData(error.message),
        stack: withoutPersonalData(error.stack ?? ''),
        ...(error.cause instanceof Error ? { cause: withoutPersonalData(error.cause.message) } : {}),
      }),
      req: (request: { method: string }) => ({ method: request.method }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
    redact: {
      paths: secretNames.flatMap((name) => ['', '*.', '*.*.'].map((where) => `${where}${name}`.replace('.[', '['))),
      censor: '[redacted]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * Says what an operator is told at the start and end, in production as a line of the log. What begins with `Warning: ` is one there, too.
 */
export const sayInLog =
  (log: Pick<Logger, 'info' | 'warn'>) =>
  (line: string): void => {
    const [, warning] = /^Warning: (.*)$/s.exec(line) ?? []
    if (warning === undefined) log.info(line)
    else log.warn(warning)
  }

/** A destination that buffers lines until `release` or the exit, so that they do not mix with the output of the start. */
export function holdBackLog(): { destination: DestinationStream; release(): void } {
  const output = pino.destination(1)
  let waiting: string[] | undefined = []
  const release = () => {
    for (const line of waiting ?? []) output.write(line)
    waiting = undefined
  }
  process.once('exit', release)
  return { destination: { write: (line) => void (waiting ? waiting.push(line) : output.write(line)) }, release }
}

/** Masks twelve or ten digits that begin with a date: they may be a personal number. */
export const withoutPersonalNumbers = (text: string): string =>
  text.replaceAll(/\b((?:19|20)?[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))[-+]?[0-9]{4}\b/g, '$1-****')

// It may start only behind a delimiter: from every position, a long text would take quadratic time.
const emailAddress = /(?<![^\s"'<>@/?=&(),;:])[^\s"'<>@/?=&(),;:]+(?:@|%40)[^\s"'<>@/?=&),;:]+/gi

/** Masks personal numbers and e-mail addresses, URL-encoded ones too. */
export const withoutPersonalData = (text: string): string =>
  withoutPersonalNumbers(text).replaceAll(emailAddress, '[e-mail]')
