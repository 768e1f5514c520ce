import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brandHues } from '#contract/brands/brand-form.ts'

type Theme = 'light' | 'dark'
type Linear = readonly [number, number, number]

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const themes: readonly Theme[] = ['light', 'dark']
const hues = Array.from({ length: 72 }, (_, index) => index * 5)
const chroma = Number(css.match(/--brand-c: ([\d.]+)/)?.[1])

const surfaces = ['bg', 'surface', 'surface-2', 'overlay']
const pages = ['bg', 'surface', 'overlay']

/** Foreground, backgrounds, and the least contrast: 4.5 for text and 3 for what is no text, or more where promised. */
const pairs: readonly [string, readonly string[], number][] = [
  ['text', surfaces, 14],
  ['text', ['accent-soft', 'ok-soft', 'warn-soft', 'danger-soft'], 4.5],
  ['text-2', surfaces, 5.2],
  ['text-3', pages, 4.9],
  ['text-3', ['surface-2'], 4.5],
  ['border-strong', surfaces, 3],
  ['on-accent', ['accent', 'accent-hover'], 4.9],
  ['accent', surfaces, 3],
  ['accent-text', [...surfaces, 'accent-soft'], 4.5],
  ['accent-text', ['surface'], 5.18],
  ['focus', surfaces, 3],
  ['focus', ['surface'], 3.9],
  ['ok', [...surfaces, 'ok-soft'], 4.5],
  ['warn', [...surfaces, 'warn-soft'], 4.5],
  ['danger', [...surfaces, 'danger-soft'], 4.5],
  ['on-danger', ['danger', 'danger-hover'], 4.9],
  // The parts of a chart against the card, and against the part that touches them. The first is the accent.
  ...['accent', 'chart-2', 'chart-3', 'chart-4', 'chart-5'].map((part): [string, string[], number] => [
    part,
    ['surface'],
    3,
  ]),
  // Where a part is empty, those beside it touch.
  ['chart-2', ['accent', 'chart-3'], 1.5],
  ['chart-3', ['chart-4'], 1.5],
  ['chart-4', ['chart-5'], 1.5],
  ['accent', ['chart-3', 'chart-4'], 1.3],
  ['chart-2', ['chart-4'], 1.3],
]

describe.each(themes)('in the %s theme', (theme) => {
  test.each(pairs)('%s is readable on %s at %d:1 or more, for every brand hue', (front, backs, least) => {
    const failures = hues.flatMap((hue) =>
      backs.flatMap((back) => {
        const ratio = contrast(color(front, theme, hue), color(back, theme, hue))
        return ratio < least ? [`hue ${hue}: ${front} on ${back} is ${ratio.toFixed(2)}`] : []
      }),
    )
    expect(failures).toEqual([])
  })
})

test('each hue that an organisation may have is among those, has its rule, and is far from the colour of danger', () => {
  const rules = readFileSync(join(import.meta.dirname, 'hues.css'), 'utf8')
  const found = [...rules.matchAll(/\[data-hue='(\d+)'\] \{\s+--brand-h: (\d+);/g)].map(([, name, hue]) => [name, hue])
  expect(found).toEqual(brandHues.map((hue) => [String(hue), String(hue)]))
  const danger = Number(css.match(/--danger: light-dark\(oklch\([\d.]+ [\d.]+ (\d+)\)/)?.[1])
  for (const hue of brandHues) {
    expect(hues).toContain(hue)
    expect(Math.min(Math.abs(hue - danger), 360 - Math.abs(hue - danger))).toBeGreaterThan(15)
  }
})

test('the reader of the tokens finds what Chromium computes for the default brand', () => {
  expect(contrast(color('on-accent', 'light', 262), color('accent', 'light', 262))).toBeCloseTo(6.18, 1)
  expect(contrast(color('on-accent', 'dark', 262), color('accent', 'dark', 262))).toBeCloseTo(6.57, 1)
})

/** The value of a colour token in a theme, in linear sRGB. */
function color(name: string, theme: Theme, hue: number): Linear {
  const declared = css.match(new RegExp(`--${name}: light-dark\\(\\s*(oklch\\(.+?\\)),\\s*(oklch\\(.+\\))\\s*\\);`))
  const written = declared?.[theme === 'light' ? 1 : 2]
  if (!written) throw new Error(`tokens.css has no colour --${name}`)
  const [lightness = 0, strength = 0, angle = 0] = written
    .replace(/^oklch\(|\)$/g, '')
    .replaceAll('var(--brand-c)', String(chroma))
    .replaceAll('var(--brand-h)', String(hue))
    .replace(/calc\(([\d.]+) \* ([\d.]+)\)/, (_match: string, a: string, b: string) => String(Number(a) * Number(b)))
    .split(' ')
    .map(Number)
  return fromOklch(lightness, strength, angle)
}

/** https://bottosson.github.io/posts/oklab, and what lies outside sRGB is cut off, as browsers do. */
function fromOklch(lightness: number, strength: number, angle: number): Linear {
  const a = strength * Math.cos((angle * Math.PI) / 180)
  const b = strength * Math.sin((angle * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const cut = (value: number) => Math.min(1, Math.max(0, value))
  return [
    cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Linear, other: Linear): number {
  const luminance = ([red, green, blue]: Linear) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second)
  return (lighter + 0.05) / (darker + 0.05)
}
