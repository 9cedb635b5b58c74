import { theme as antd } from 'antd'
import type { ThemeConfig } from 'antd'
import { mixColours, toReadableColour, textColourOn } from './colour.ts'
import type { ThemePalette } from './themes.ts'

const fonts = `-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei',
  'Noto Sans SC', 'Noto Sans CJK SC', Roboto, sans-serif`

/**
 * Returns readable text colours for antd's coloured tags. Their background is shade 1 of the colour and their text
 * shade 7, which is not readable on every background.
 */
const tagTexts = (map: Record<string, string>) =>
  Object.fromEntries(
    Object.keys(map)
      .filter((key) => /^[a-z]+7$/.test(key))
      .map((key) => [key, toReadableColour(map[key]!, [map[key.replace('7', '1')]!])]),
  )

/** Returns antd's configuration for a palette; the build uses the same function to extract the CSS. */
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
      // Large controls, used on phones, are as high as a finger.
      controlHeightLG: 44,
      motion,
      wireframe: false,
    },
    components: componentsOf(colours),
  }
}

const tintOf = ({ card, dark }: ThemePalette, colour: string) => mixColours(card, colour, dark ? 0.16 : 0.08)

/** Returns a colour as readable text on a light tint of itself, as in tags and alerts. */
const onTint = (colours: ThemePalette, colour: string) =>
  toReadableColour(colour, [tintOf(colours, colour), colours.card, colours.page])

/** Colours set explicitly, because antd would derive others. */
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
    // Tints of the chosen colour itself: the accent was made readable on them.
    colorPrimaryBg: tintOf(colours, raw),
    // Equal to the tint without hover, because antd's next shade is too strong behind a link.
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
    // Checkboxes are square, because round marks mean a single choice.
    Checkbox: { borderRadiusSM: 4 },
    DatePicker: onAccent,
    Steps: onAccent,
    Radio: { buttonSolidCheckedColor: textColourOn(accent) },
    Table: { headerBg: mixColours(colours.card, dark ? '#ffffff' : '#0b2a4a', 0.035), headerSplitColor: 'transparent' },
  }
}
