import { theme } from 'antd'
import { describe, expect, test } from 'vitest'
import { createAntdTheme } from './antd-theme.ts'
import { AA_CONTRAST_MIN, contrastRatio, mixColours } from './colour.ts'
import { paletteOfTheme, themeNames } from './themes.ts'

const choices = [undefined, '#409EFF', '#000000', '#ffffff', '#f5222d', '#fadb14', '#52c41a', '#722ed1']
const cases = themeNames.flatMap((name) => choices.map((colour) => [name, colour] as const))

describe.each(cases)('theme %s with colour %s', (name, colour) => {
  const colours = paletteOfTheme(name, colour, '#409EFF')
  const expectReadable = (pairs: [string, string, string][]) => {
    for (const [what, text, ground] of pairs) {
      expect(contrastRatio(text, ground), `${what}: ${text} on ${ground}`).toBeGreaterThanOrEqual(AA_CONTRAST_MIN)
    }
  }

  test('every text of the frame can be read (AA)', () => {
    const { frame } = colours
    expectReadable([
      ...frame.side.map((ground) => ['sidebar', frame.sideText, ground] as [string, string, string]),
      ...frame.sideActiveBg.map((ground) => ['open page', frame.sideActiveText, ground] as [string, string, string]),
      ...frame.sideActiveBg.map((ground) => ['hovered', frame.sideStrong, ground] as [string, string, string]),
      ...frame.top.map((ground) => ['top bar', frame.topText, ground] as [string, string, string]),
    ])
  })

  test('every text of the pages can be read (AA), as antd derives it', () => {
    const token = theme.getDesignToken(createAntdTheme(colours))
    for (const ground of [token.colorBgContainer, token.colorBgLayout, token.colorBgElevated]) {
      expectReadable([
        ['text', token.colorText, ground],
        ['secondary', token.colorTextSecondary, ground],
        ['tertiary', token.colorTextTertiary, ground],
        ['placeholder', token.colorTextPlaceholder, ground],
        ['description', token.colorTextDescription, ground],
        ['link', token.colorLink, ground],
        ['primary', token.colorPrimary, ground],
        ['error', token.colorError, ground],
        ['warning', token.colorWarning, ground],
        ['success', token.colorSuccess, ground],
      ])
    }
    expectReadable([
      ['primary button', colours.onSolid, token.colorPrimary],
      ['quiet words in a chosen row', token.colorTextTertiary, token.colorPrimaryBg],
      ['link in a chosen row', token.colorLink, token.colorPrimaryBg],
      ['link in a chosen row under the pointer', token.colorLink, token.controlItemBgActiveHover],
      ['open tab', colours.accent, mixColours(colours.card, colours.raw, colours.dark ? 0.18 : 0.1)],
      ['info tag', token.colorInfo, token.colorInfoBg],
      ['success tag', token.colorSuccess, token.colorSuccessBg],
      ['warning tag', token.colorWarning, token.colorWarningBg],
      ['error tag', token.colorError, token.colorErrorBg],
      ...(['geekblue', 'purple', 'volcano', 'lime', 'cyan', 'gold', 'magenta'] as const).map(
        (hue) => [`${hue} tag`, token[`${hue}7`], token[`${hue}1`]] as [string, string, string],
      ),
    ])
  })
})
