import { Input } from 'antd'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

const presets = [
  '#409eff',
  '#1f6feb',
  '#13c2c2',
  '#52c41a',
  '#a0d911',
  '#faad14',
  '#fa8c16',
  '#f5222d',
  '#eb2f96',
  '#722ed1',
  '#595959',
  '#000000',
]
const isColour = (value: unknown) => /^#[0-9a-f]{6}$/i.test(String(value))

function ColourCell({ value }: CellProps) {
  return (
    <span className="kit-number">
      <span className="kit-swatch" style={isColour(value) ? { background: String(value) } : undefined} />{' '}
      {String(value)}
    </span>
  )
}

function ColourInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const text = String(value ?? '')
  return (
    <div className="kit-colour">
      <Input
        id={id}
        value={text}
        onChange={(event) => onChange(event.target.value.trim())}
        placeholder="#409eff"
        maxLength={7}
        allowClear
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        prefix={
          <input
            type="color"
            tabIndex={-1}
            aria-hidden
            value={isColour(text) ? text : '#ffffff'}
            onChange={(event) => onChange(event.target.value)}
            disabled={disabled}
          />
        }
      />
      <span className="kit-presets">
        {presets.map((colour) => (
          <button
            key={colour}
            type="button"
            aria-label={colour}
            aria-pressed={colour === text.toLowerCase()}
            style={{ background: colour }}
            disabled={disabled}
            onClick={() => onChange(colour)}
          />
        ))}
      </span>
    </div>
  )
}

export const colourWebKind: WebFieldKind = { Cell: ColourCell, Input: ColourInput, width: 120, savesOnChoice: true }
