import { useLocalize } from '#kit/web/base/language.tsx'
import { webSettings } from '#kit/web/base/settings.ts'
import { setTheme, themeNames, themes, useThemeStore } from '#kit/web/theme/theme.tsx'
import { cssBackgroundOf, paletteOfTheme } from '#kit/web/theme/themes.ts'
import { useShellTranslation } from '../words/index.ts'

/** Picker for the eleven themes, each shown as a small preview. */
export default function ThemePanel() {
  const t = useShellTranslation()
  const localize = useLocalize()
  const { name: chosen, colour } = useThemeStore()
  return (
    <div className="theme-panel" role="group" aria-label={t('theme')}>
      {themeNames.map((name) => {
        const look = paletteOfTheme(name, colour, webSettings.defaultColour)
        return (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setTheme(name)}>
            <span className="theme-picture" style={{ background: look.page }} aria-hidden="true">
              <i style={{ background: cssBackgroundOf(look.frame.side) }}>
                <b style={{ background: look.accent }} />
              </i>
              <i style={{ background: cssBackgroundOf(look.frame.top) }} />
              <i style={{ background: look.card }} />
            </span>
            {localize(themes[name].label)}
          </button>
        )
      })}
    </div>
  )
}
