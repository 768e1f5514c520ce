/** The colours of a mail that follow from a hue: those of web/ui/tokens.css. */
export interface AccentColours {
  accent: string
  onAccent: string
  link: string
}

const chroma = 0.17

/** The accent of a hue as mail programs know colours: `#rrggbb`. */
export const accentOf = (hue: number): { light: AccentColours; dark: AccentColours } => ({
  light: {
    accent: hexOf(0.5, chroma, hue),
    onAccent: '#ffffff',
    link: hexOf(0.461, chroma * 0.945, hue),
  },
  dark: {
    accent: hexOf(0.68, chroma * 0.853, hue),
    onAccent: hexOf(0.169, 0.03, hue),
    link: hexOf(0.79, chroma * 0.625, hue),
  },
})

/** https://bottosson.github.io/posts/oklab, and what lies outside sRGB is cut off, as browsers do. */
function hexOf(lightness: number, strength: number, hue: number): string {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [strength * Math.cos(angle), strength * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const hex = linear
    .map((value) =>
      Math.round(255 * gamma(value))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
  // Six decimal digits would look like a login code.
  return `#${/^[0-9]+$/.test(hex) ? `${hex.slice(0, 5)}a` : hex}`
}

function gamma(value: number): number {
  const cut = Math.min(1, Math.max(0, value))
  return cut <= 0.0031308 ? 12.92 * cut : 1.055 * cut ** (1 / 2.4) - 0.055
}
