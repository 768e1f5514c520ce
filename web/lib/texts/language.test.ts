import { expect, test } from 'vitest'
import { languageNames } from './language.ts'

test('every language is called what it calls itself', () => {
  for (const { value, name } of languageNames)
    expect(name.toLocaleLowerCase(value)).toBe(
      new Intl.DisplayNames([value], { type: 'language' }).of(value)?.toLowerCase(),
    )
})
