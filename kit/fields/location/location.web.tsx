import { Input, Space } from 'antd'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

/** Link to a point on AMap, which uses the same coordinates (GCJ-02). */
const mapOf = (point: string) => `https://uri.amap.com/marker?position=${encodeURIComponent(point)}`

function LocationCell({ value }: CellProps) {
  const t = useLocalize()
  const point = String(value)
  return (
    <a
      className="kit-number"
      href={mapOf(point)}
      target="_blank"
      rel="noopener noreferrer"
      data-tip={t(words.openMap)}
      onClick={(event) => event.stopPropagation()}
    >
      <Icon name="environment" /> {point.replace(',', ', ')}
    </a>
  )
}

function LocationInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const t = useLocalize()
  const [east = '', north = ''] = String(value ?? '').split(',')
  const set = (nextEast: string, nextNorth: string) =>
    onChange(nextEast === '' && nextNorth === '' ? '' : `${nextEast},${nextNorth}`)
  const type = (text: string, side: 'east' | 'north') => {
    // A pair pasted into either box fills both.
    const pair = /^\s*(-?\d+(?:\.\d+)?)\s*[,,\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text)
    if (pair) set(pair[1]!, pair[2]!)
    else if (side === 'east') set(text.trim(), north)
    else set(east, text.trim())
  }
  const shared = {
    inputMode: 'decimal' as const,
    disabled,
    status: invalid ? ('error' as const) : undefined,
    'aria-invalid': invalid,
    'aria-describedby': describedBy,
  }
  return (
    <Space.Compact className="kit-fill">
      <Input
        id={id}
        {...shared}
        value={east}
        onChange={(event) => type(event.target.value, 'east')}
        placeholder={t(words.longitude)}
        aria-label={t(words.longitude)}
      />
      <Input
        {...shared}
        value={north}
        onChange={(event) => type(event.target.value, 'north')}
        placeholder={t(words.latitude)}
        aria-label={t(words.latitude)}
      />
    </Space.Compact>
  )
}

export const locationWebKind: WebFieldKind = { Cell: LocationCell, Input: LocationInput, width: 190 }
