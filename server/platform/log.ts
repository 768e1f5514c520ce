import pino, { type DestinationStream, type Logger } from 'pino'

const secretNames = [
  ...['password', 'newPassword', 'oldPassword', 'confirmNewPassword', 'secret', 'token', 'code', 'ticket'],
  ...['ssn', 'phoneNumber', 'email', 'login', 'cookie', 'authorization', '["set-cookie"]'],
]

/**
 * The log: one JSON line each. It names route templates, never raw URLs, and no secret or personal number reaches it:
 * these paths are cut out whoever logs them, and secrets have a type that prints as `[secret]`.
 *
 * @param destination where lines go; standard output unless told
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        errorCode: error.code,
        // A database error's detail quotes values and is left out.
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

/** Twelve or ten digits that read as a date of birth are a personal number until shown otherwise. */
export const withoutPersonalNumbers = (text: string): string =>
  text.replaceAll(/\b((?:19|20)?[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))[-+]?[0-9]{4}\b/g, '$1-****')

/** A text for the log: without personal numbers and e-mail addresses, also those of an encoded address. */
export const withoutPersonalData = (text: string): string =>
  withoutPersonalNumbers(text).replaceAll(/[^\s"'<>@/?=&(,;:]+(?:@|%40)[^\s"'<>@/?=&),;:]+/gi, '[e-mail]')
