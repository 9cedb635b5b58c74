import { Button, InputNumber } from 'antd'
import { jsonList } from '#kit/fields/json/json-list.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowPicker } from '#kit/web/inputs/picker.tsx'

type Line = { goodId: string; quantity: number; name?: string; upc?: string; received?: number }

const words = {
  add: { zh: '选择要调拨的商品', en: 'Select products to transfer' },
  shopFirst: { zh: '请先选择调出门店', en: 'Select the sending store first' },
  quantity: { zh: '数量', en: 'Quantity' },
  remove: { zh: '移除', en: 'Remove' },
}

/** Parses the lines of a transfer from a row or a form value. */
export const parseTransferLines = (value: unknown): Line[] => jsonList(value)

/** Input for the lines of a transfer: products chosen by name or barcode, each with a quantity. */
export function TransferLinesInput({ value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const t = useLocalize()
  const lines = parseTransferLines(value)
  const shopId = String(values.fromShopId ?? '')
  const set = (next: Line[]) =>
    onChange(JSON.stringify(next.map(({ goodId, quantity, name, upc }) => ({ goodId, quantity, name, upc }))))
  return (
    <div className="goods-lines">
      {lines.length > 0 && <Chosen lines={lines} disabled={disabled} onChange={set} />}
      {!disabled && (
        <RowPicker
          key={lines.length}
          to="goodInfo"
          value=""
          id={id}
          invalid={invalid}
          describedBy={describedBy}
          disabled={!shopId}
          filter={{ shopId }}
          placeholder={t(shopId ? words.add : words.shopFirst)}
          onChange={(goodId, [option]) =>
            goodId &&
            !lines.some((line) => line.goodId === goodId) &&
            set([...lines, { goodId, quantity: 1, name: option?.title, upc: option?.code }])
          }
        />
      )}
    </div>
  )
}

type ChosenProps = { lines: Line[]; disabled: boolean; onChange: (lines: Line[]) => void }

function Chosen({ lines, disabled, onChange }: ChosenProps) {
  const t = useLocalize()
  return (
    <ul className="kit-rows">
      {lines.map((line, at) => (
        <li key={line.goodId}>
          <span>
            {line.name ?? line.goodId}
            {line.upc && <small>{line.upc}</small>}
          </span>
          <span>
            <InputNumber
              min={1}
              max={1_000_000}
              precision={0}
              inputMode="numeric"
              value={line.quantity}
              disabled={disabled}
              aria-label={`${line.name} ${t(words.quantity)}`}
              onChange={(quantity) =>
                onChange(lines.map((one, n) => (n === at ? { ...one, quantity: quantity ?? 1 } : one)))
              }
            />
            {!disabled && (
              <Button
                type="text"
                icon={<Icon name="close" />}
                aria-label={`${t(words.remove)} ${line.name}`}
                onClick={() => onChange(lines.filter((_one, n) => n !== at))}
              />
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
