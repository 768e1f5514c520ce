import { Problem } from './problem.ts'

/**
 * In production, the URLs that a form names must use https (security 28).
 *
 * @throws Problem 422 `invalidUrl` at each field that does not
 */
export function refuseInsecureUrls<Name extends string>(
  { production }: { production: boolean },
  form: Record<Name, string>,
  names: readonly Name[],
): void {
  const insecure = names.filter((name) => production && !form[name].startsWith('https:'))
  if (insecure.length > 0)
    throw new Problem(422, 'validationFailed', {
      issues: insecure.map((path) => ({ path, message: 'invalidUrl' })),
    })
}
