type Rgb = [number, number, number]

function rgbOf(hex: string): Rgb {
  const digits = hex.replace('#', '')
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Rgb
}

const hexOf = (rgb: number[]) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Mixes two colours; `share` (0 to 1) is the part of the second one. */
export function mixColours(under: string, over: string, share: number) {
  const a = rgbOf(under)
  const b = rgbOf(over)
  return hexOf(a.map((part, at) => part + ((b[at] as number) - part) * share))
}

function luminance(hex: string) {
  const [r, g, b] = rgbOf(hex).map((part) => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two opaque colours, 1 to 21; text needs 4.5 (WCAG AA). */
export function contrastRatio(a: string, b: string) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

export const AA_CONTRAST_MIN = 4.5
const SAFE = 4.6

const isDark = (hex: string) => contrastRatio(hex, '#ffffff') > contrastRatio(hex, '#000000')

/** Returns hue, saturation and lightness, each 0 to 1. */
function hslOf(hex: string): Rgb {
  const [r, g, b] = rgbOf(hex).map((part) => part / 255) as Rgb
  const high = Math.max(r, g, b)
  const low = Math.min(r, g, b)
  const spread = high - low
  const lightness = (high + low) / 2
  if (spread === 0) return [0, 0, lightness]
  const hue = high === r ? (g - b) / spread + (g < b ? 6 : 0) : high === g ? (b - r) / spread + 2 : (r - g) / spread + 4
  return [hue / 6, spread / (1 - Math.abs(2 * lightness - 1)), lightness]
}

function hexOfHsl([hue, saturation, lightness]: Rgb) {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number) => {
    const turn = (offset + hue * 12) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return hexOf([part(0), part(8), part(4)])
}

/** Returns the nearest shade of a colour, of equal saturation, that is readable on all backgrounds. */
export function toReadableColour(colour: string, backgrounds: string[]) {
  const [hue, saturation, lightness] = hslOf(colour)
  const pole = isDark(backgrounds[0] as string) ? 1 : 0
  for (let share = 0; share <= 1; share += 0.01) {
    const shade = share === 0 ? colour : hexOfHsl([hue, saturation, lightness + (pole - lightness) * share])
    if (backgrounds.every((background) => contrastRatio(shade, background) >= SAFE)) return shade
  }
  return pole ? '#ffffff' : '#000000'
}

/** Returns the text colour on a filled area: white if readable, otherwise near-black. */
export const textColourOn = (background: string) =>
  contrastRatio('#ffffff', background) >= AA_CONTRAST_MIN ? '#ffffff' : '#06121f'
