import { setAccentColour, useThemeStore, usePalette } from '#kit/web/theme/theme.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { webSettings } from '#kit/web/base/settings.ts'
import { useShellTranslation } from '../words/index.ts'

const swatches = [
  webSettings.defaultColour,
  '#1677ff',
  '#2f54eb',
  '#722ed1',
  '#eb2f96',
  '#f5222d',
  '#fa541c',
  '#fa8c16',
  '#faad14',
  '#52c41a',
  '#13a8a8',
  '#5b6b82',
]

/** Picker for the accent colour: twelve presets and any other colour. */
export default function AccentColourPanel() {
  const t = useShellTranslation()
  const chosen = useThemeStore((look) => look.colour)
  const { raw } = usePalette()
  const current = (chosen ?? raw).toLowerCase()
  return (
    <div className="colour-panel">
      <p>{t('colour')}</p>
      <div className="swatches">
        {swatches.map((colour) => (
          <button
            key={colour}
            type="button"
            style={{ background: colour }}
            aria-label={colour}
            title={colour}
            aria-pressed={current === colour.toLowerCase()}
            onClick={() => setAccentColour(colour)}
          >
            {current === colour.toLowerCase() && <Icon name="check" />}
          </button>
        ))}
      </div>
      <div className="colour-own">
        <label>
          <input type="color" value={current} onChange={(event) => setAccentColour(event.target.value)} />
          <span>{current.toUpperCase()}</span>
        </label>
        <button type="button" className="plain-button" onClick={() => setAccentColour(undefined)}>
          {t('colour.reset')}
        </button>
      </div>
    </div>
  )
}
