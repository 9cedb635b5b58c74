import { mixColours, toReadableColour, textColourOn } from './colour.ts'
import type { LocalizedText } from '../base/language.tsx'

/** Colours of the frame around the pages: sidebar and top bar. Several colours make a gradient from top left. */
type Frame = { side: string[]; sideText: string; top: string[]; topText: string }

type Theme = {
  label: LocalizedText
  dark?: true
  /** Colour of the page behind the cards. */
  page: string
  /** Colour of the cards. */
  card: string
  frame: Frame
  /** The theme's own accent colour; a colour chosen by the user overrides it. */
  accent?: string
  radius?: number
}

const ink = '#1f2a37'
const light = { page: '#f3f5f9', card: '#ffffff' }

const catalogue = {
  default: {
    label: { zh: '默认主题', en: 'Default' },
    ...light,
    frame: { side: ['#18202f'], sideText: '#b8c2d3', top: ['#ffffff'], topText: ink },
  },
  white: {
    label: { zh: '白色主题', en: 'Light' },
    page: '#f7f8fa',
    card: '#ffffff',
    frame: { side: ['#ffffff'], sideText: '#3b4757', top: ['#ffffff'], topText: ink },
  },
  dark: {
    label: { zh: '黑色主题', en: 'Dark' },
    dark: true,
    page: '#0e1116',
    card: '#171b22',
    frame: { side: ['#12161c'], sideText: '#b3bccb', top: ['#12161c'], topText: '#dfe5ee' },
  },
  star: {
    label: { zh: '炫彩主题', en: 'Vivid' },
    dark: true,
    page: '#0b1026',
    card: '#151b38',
    accent: '#8ea2ff',
    frame: { side: ['#141a3c', '#0b1026'], sideText: '#bcc5ec', top: ['#1c2350', '#141a3c'], topText: '#e4e8ff' },
  },
  'blue-smart': {
    label: { zh: '智能科技蓝', en: 'Smart blue' },
    page: '#eef4fc',
    card: '#ffffff',
    accent: '#1f6feb',
    frame: { side: ['#0d3b7a', '#08264f'], sideText: '#c6dbf7', top: ['#0f4c9c', '#0d3b7a'], topText: '#ffffff' },
  },
  iview: {
    label: { zh: 'iview 主题', en: 'iView' },
    page: '#f5f7f9',
    card: '#ffffff',
    accent: '#2d8cf0',
    radius: 4,
    frame: { side: ['#3d4659'], sideText: '#d5dae3', top: ['#ffffff'], topText: '#515a6e' },
  },
  vip: {
    label: { zh: 'VIP 主题', en: 'VIP' },
    page: '#f7f5f1',
    card: '#ffffff',
    accent: '#9a6b1f',
    frame: { side: ['#262320', '#17150f'], sideText: '#e2c892', top: ['#2d2925', '#1c1a16'], topText: '#efd9a8' },
  },
  cool: {
    label: { zh: '炫酷主题', en: 'Cool' },
    page: '#f4f2fb',
    card: '#ffffff',
    accent: '#6d4aff',
    frame: { side: ['#3a2a86', '#1b4a7c'], sideText: '#d9d5f6', top: ['#ffffff'], topText: ink },
  },
  d2: {
    label: { zh: 'd2 主题', en: 'D2' },
    page: '#ebf1f6',
    card: '#ffffff',
    accent: '#2f74ff',
    radius: 6,
    frame: { side: ['#ebf1f6'], sideText: '#4a5361', top: ['#ebf1f6'], topText: '#3b4451' },
  },
  hey: {
    label: { zh: 'hey 主题', en: 'Hey' },
    page: '#f2f6f6',
    card: '#ffffff',
    accent: '#12876f',
    frame: { side: ['#ffffff'], sideText: '#36474a', top: ['#0f5e55'], topText: '#ffffff' },
  },
  lte: {
    label: { zh: 'lte 主题', en: 'LTE' },
    page: '#ecf0f5',
    card: '#ffffff',
    accent: '#3c8dbc',
    radius: 4,
    frame: { side: ['#222d32'], sideText: '#b8c7ce', top: ['#2a6f98'], topText: '#ffffff' },
  },
} satisfies Record<string, Theme>

export type ThemeName = keyof typeof catalogue
export const themeNames = Object.keys(catalogue) as ThemeName[]
export const themes: Record<ThemeName, Theme> = catalogue

/** Returns all colours of texts and surfaces for a theme and the accent colour chosen by the user. */
export function paletteOfTheme(name: ThemeName, chosen: string | undefined, fallback: string) {
  const theme: Theme = themes[name]
  const dark = !!theme.dark
  const raw = chosen ?? theme.accent ?? fallback
  const { page, card } = theme
  const raised = dark ? mixColours(card, '#ffffff', 0.05) : card
  const surfaces = [card, page, raised]
  // Links and secondary text also stand on selected rows and on the tint of the open tab.
  const onRows = [...surfaces, mixColours(card, raw, dark ? 0.18 : 0.1)]
  const accent = toReadableColour(raw, onRows)
  const solid = accent
  const { side, top } = theme.frame
  const sideTint = side.map((shade) => mixColours(shade, raw, dark ? 0.22 : 0.16))
  return {
    dark,
    radius: theme.radius ?? 10,
    raw,
    page,
    card,
    raised,
    accent,
    onSolid: textColourOn(solid),
    text: dark ? '#e6eaf1' : ink,
    textSecondary: toReadableColour(dark ? '#b4bdcc' : '#4b5768', onRows),
    textTertiary: toReadableColour(dark ? '#98a3b5' : '#677386', onRows),
    success: toReadableColour(dark ? '#4cc38a' : '#1a8a4e', [...surfaces, mixColours(card, '#22a45d', 0.1)]),
    warning: toReadableColour(dark ? '#f0b056' : '#b45c06', [...surfaces, mixColours(card, '#f59e0b', 0.1)]),
    error: toReadableColour(dark ? '#ff7b72' : '#d3302a', [...surfaces, mixColours(card, '#ef4444', 0.1)]),
    frame: {
      side,
      top,
      sideText: theme.frame.sideText,
      sideStrong: toReadableColour(theme.frame.sideText, sideTint),
      sideActiveBg: sideTint,
      sideActiveText: toReadableColour(raw, sideTint),
      topText: theme.frame.topText,
    },
  }
}

export type ThemePalette = ReturnType<typeof paletteOfTheme>

export const cssBackgroundOf = (stops: string[]) =>
  stops.length > 1 ? `linear-gradient(160deg, ${stops.join(', ')})` : (stops[0] as string)
