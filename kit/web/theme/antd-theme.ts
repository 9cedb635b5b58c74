import { theme as antd } from 'antd'
import type { ThemeConfig } from 'antd'
import { mixColours, toReadableColour, textColourOn } from './colour.ts'
import type { ThemePalette } from './themes.ts'

const fonts = `-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei',
  'Noto Sans SC', 'Noto Sans CJK SC', Roboto, sans-serif`

/**
 * antd's shades of a colour go from 1, the ground of its tag, to 10; the text is 7, which cannot be read on every
 * ground.
 */
const tagTexts = (map: Record<string, string>) =>
  Object.fromEntries(
    Object.keys(map)
      .filter((key) => /^[a-z]+7$/.test(key))
      .map((key) => [key, toReadableColour(map[key]!, [map[key.replace('7', '1')]!])]),
  )

/** antd's configuration for a palette; the extraction of its CSS at build time uses the same function. */
export function createAntdTheme(colours: ThemePalette, motion = true, zeroRuntime = false): ThemeConfig {
  const { dark, accent, success, warning, error } = colours
  const exact = exactColours(colours)
  return {
    hashed: false,
    zeroRuntime,
    cssVar: { key: 'store' },
    algorithm: [
      dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
      (_, map) => ({ ...(map as object), ...exact, ...tagTexts(map as never) }) as never,
    ],
    token: {
      colorPrimary: accent,
      colorInfo: accent,
      colorSuccess: success,
      colorWarning: warning,
      colorError: error,
      colorTextPlaceholder: colours.textTertiary,
      colorTextDescription: colours.textTertiary,
      borderRadius: Math.min(8, colours.radius),
      borderRadiusLG: colours.radius,
      fontFamily: fonts,
      fontSize: 14,
      // The size of a finger: phones get the large inputs and buttons.
      controlHeightLG: 44,
      motion,
      wireframe: false,
    },
    components: componentsOf(colours),
  }
}

const tintOf = ({ card, dark }: ThemePalette, colour: string) => mixColours(card, colour, dark ? 0.16 : 0.08)

/** A colour as the text of a tag or a note on its own tint. */
const onTint = (colours: ThemePalette, colour: string) =>
  toReadableColour(colour, [tintOf(colours, colour), colours.card, colours.page])

/** Colours that are said themselves, where antd would derive others. */
function exactColours(colours: ThemePalette) {
  const { dark, accent, raw, success, warning, error } = colours
  const shade = (share: number) => mixColours(accent, dark ? '#ffffff' : '#000000', share)
  return {
    colorPrimary: accent,
    colorLink: accent,
    colorLinkHover: shade(0.15),
    colorLinkActive: shade(0.25),
    colorInfo: accent,
    colorSuccess: onTint(colours, success),
    colorWarning: onTint(colours, warning),
    colorError: onTint(colours, error),
    // Of the colour as it was chosen: the accent was made readable on just this ground.
    colorPrimaryBg: tintOf(colours, raw),
    // What is chosen stays so under the pointer: antd's next shade is too strong for a link in the accent.
    colorPrimaryBgHover: tintOf(colours, raw),
    colorInfoBg: tintOf(colours, raw),
    colorSuccessBg: tintOf(colours, success),
    colorWarningBg: tintOf(colours, warning),
    colorErrorBg: tintOf(colours, error),
    colorBgLayout: colours.page,
    colorBgContainer: colours.card,
    colorBgElevated: colours.raised,
    colorText: colours.text,
    colorTextSecondary: colours.textSecondary,
    colorTextTertiary: colours.textTertiary,
  }
}

function componentsOf(colours: ThemePalette): ThemeConfig['components'] {
  const { dark, accent, error } = colours
  const onAccent = { colorTextLightSolid: textColourOn(accent) }
  return {
    Button: {
      primaryColor: textColourOn(accent),
      dangerColor: textColourOn(error),
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
    },
    Badge: { colorTextLightSolid: textColourOn(onTint(colours, error)) },
    // A box, not a circle: circles are for one choice of several.
    Checkbox: { borderRadiusSM: 4 },
    DatePicker: onAccent,
    Steps: onAccent,
    Radio: { buttonSolidCheckedColor: textColourOn(accent) },
    Table: { headerBg: mixColours(colours.card, dark ? '#ffffff' : '#0b2a4a', 0.035), headerSplitColor: 'transparent' },
  }
}
