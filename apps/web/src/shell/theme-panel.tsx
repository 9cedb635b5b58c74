import { useLocalize } from '#kit/web/language.tsx'
import { settings } from '#kit/web/settings.ts'
import { setTheme, themeNames, themes, useLook } from '#kit/web/theme/theme.tsx'
import { paint, paletteOf } from '#kit/web/theme/themes.ts'
import { useT } from '../words/index.ts'

/** The eleven themes, each as a small picture of itself. */
export default function ThemePanel() {
  const t = useT()
  const localize = useLocalize()
  const { name: chosen, colour } = useLook()
  return (
    <div className="theme-panel" role="group" aria-label={t('theme')}>
      {themeNames.map((name) => {
        const look = paletteOf(name, colour, settings.defaultColour)
        return (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setTheme(name)}>
            <span className="theme-picture" style={{ background: look.page }} aria-hidden="true">
              <i style={{ background: paint(look.frame.side) }}>
                <b style={{ background: look.accent }} />
              </i>
              <i style={{ background: paint(look.frame.top) }} />
              <i style={{ background: look.card }} />
            </span>
            {localize(themes[name].label)}
          </button>
        )
      })}
    </div>
  )
}
